import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bounded, endless } from './bombs.ts';
import {
  type Json,
  md,
  type NotebookProgram,
  openNotebooks,
  type ValidationResult,
  type Written,
} from './notebook-program.ts';

const readsCount = 50;

describe('validation of malicious input', () => {
  let program: NotebookProgram;
  beforeAll(async () => {
    // Long enough for fifty reads and a write on a busy machine.
    program = await openNotebooks({ SCRATCH_NOTEBOOK_VALIDATION_TIMEOUT: '4s' });
    await program.call('scratch_create', { scratch_id: 'calm', cells: [md('# Calm')] });
  });
  afterAll(() => program.close());

  /** The ids of the calls in the order of their answers. */
  async function race(bomb: () => Promise<unknown>, write: Json = {}): Promise<readonly string[]> {
    const order: string[] = [];
    const lit = bomb().then(() => order.push('bomb'));
    await Promise.all(
      Array.from({ length: readsCount }, async (_, n) => {
        if (n % 2 === 0) await program.read('calm');
        else await program.call('scratch_list');
        order.push('read');
      }),
    );
    const cell = { language: 'json', content: '{', ...write };
    await program.call('scratch_append_cell', { scratch_id: 'calm', cell });
    order.push('write');
    await lit;
    return order;
  }
  const answeredFirst = [...Array.from({ length: readsCount }, () => 'read'), 'write', 'bomb'];

  it.each(Object.entries(endless))('stops %s without delaying other calls', async (_what, cell) => {
    await program.call('scratch_create', { scratch_id: 'bomb', cells: [{ ...cell, cell_id: 'c' }, md('# sound')] });
    const before = await program.read('bomb');
    let failure: unknown;
    const order = await race(
      async () => {
        failure = await program.fail('scratch_validate', { scratch_id: 'bomb' });
      },
      { validate: true },
    );
    expect(order).toEqual(answeredFirst);
    expect(failure).toMatchObject({ code: 'VALIDATION_TIMEOUT', message: expect.stringContaining('4000') });
    expect(await program.read('bomb')).toEqual(before);
  });

  it('stops fifty concurrent ones without delaying other calls', async () => {
    const [cell] = Object.values(endless);
    await program.call('scratch_create', { scratch_id: 'fifty', cells: [cell] });
    let codes: readonly string[] = [];
    const order = await race(async () => {
      const bombs = Array.from({ length: 50 }, () => program.fail('scratch_validate', { scratch_id: 'fifty' }));
      codes = (await Promise.all(bombs)).map(({ code }) => code);
    });
    expect(order).toEqual(answeredFirst);
    expect(new Set(codes)).toEqual(new Set(['VALIDATION_TIMEOUT']));
  });

  it('keeps a write whose validation times out and answers null', async ({ onTestFinished }) => {
    const hurried = await openNotebooks({ SCRATCH_NOTEBOOK_VALIDATION_TIMEOUT: '500ms' });
    onTestFinished(() => hurried.close());
    await hurried.call('scratch_create', { scratch_id: 'written' });
    const cell = { ...Object.values(endless)[0], validate: true };
    const { validation, scratchpad } = await hurried.call<Written>('scratch_append_cell', {
      scratch_id: 'written',
      cell,
    });
    expect(scratchpad.cell_count).toBe(1);
    expect(validation).toMatchObject([{ valid: null, errors: [], warnings: [{ code: 'VALIDATION_TIMEOUT' }] }]);
    expect((await hurried.read('written')).cell_count).toBe(1);
  });

  it('fetches nothing for a schema', async () => {
    let asked = 0;
    const server = createServer((_req, res) => {
      asked += 1;
      res.end('{}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/schema.json`;
    const cells = [{ $ref: address }, { $schema: address }, { $id: address, $dynamicRef: `${address}#x` }].map(
      (json_schema) => ({ language: 'json', content: '1', json_schema }),
    );
    await program.call('scratch_create', { scratch_id: 'outside', cells });
    const { results } = await program.call<{ results: readonly ValidationResult[] }>('scratch_validate', {
      scratch_id: 'outside',
    });
    expect(results.map(({ valid }) => valid)).toEqual([false, false, false]);
    expect(asked).toBe(0);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('validation of large, deep or unusable input', () => {
  let program: NotebookProgram;
  beforeAll(async () => {
    program = await openNotebooks({ SCRATCH_NOTEBOOK_VALIDATION_TIMEOUT: '60s' });
    await program.call('scratch_create', { scratch_id: 'calm', cells: [md('# Calm')] });
  });
  afterAll(() => program.close());

  const cases = Object.entries(bounded).map(([what, [cell, code]]) => ({ what, cell, code }));
  it.each(cases)('answers $what with $code and continues to work', async ({ cell, code }) => {
    await program.call('scratch_create', { scratch_id: 'bounded', cells: [cell] });
    const before = await program.read('bounded');
    const { results } = await program.call<{ results: readonly ValidationResult[] }>('scratch_validate', {
      scratch_id: 'bounded',
    });
    expect(results).toMatchObject([{ cell_index: 0, cell_id: before.cells[0]?.cell_id }]);
    expect(results[0]?.valid === false).toBe(code !== undefined);
    expect(results[0]?.errors[0]?.code).toBe(code);
    expect(await program.read('bounded')).toEqual(before);
    expect((await program.read('calm')).cells[0]?.content).toBe('# Calm');
  });
});
