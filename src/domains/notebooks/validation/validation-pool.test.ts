import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type Call, localTenant, type TenantId, toTenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { createWorkers, type Workers } from '#kernel/workers/workers.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { createValidationPool, type ValidationPool } from './validation-pool.ts';
import type { CellToValidate } from './validation-task.ts';

const entry = new URL('../../../app/validation.worker.ts', import.meta.url);
const open = (heapMb: number): Workers =>
  createWorkers({
    entry,
    isolation: 'process',
    threadsCount: notebookLimits.validationWorkersCount,
    heapMb,
    memoryMb: notebookLimits.validationMemoryMb,
  });
const workers = open(notebookLimits.validationHeapMb);
const pool = createValidationPool({ workers });
afterAll(() => workers.close());

const callOf = (tenant: TenantId = localTenant, signal = new AbortController().signal): Call => ({
  tenant,
  actor: 'test',
  scopes: new Set(),
  tool: 'scratch_validate',
  audit: 'none',
  signal,
  deadlineAt: Number.POSITIVE_INFINITY,
  progress() {},
});
const json = (content: string, schema?: unknown): CellToValidate => ({
  cellId: 'c',
  index: 0,
  language: 'json',
  content,
  ...(schema === undefined ? {} : { schema: { kind: 'schema', schema } }),
});
/** Backtracks exponentially. */
const slow = json(JSON.stringify(`${'a'.repeat(50)}!`), { pattern: '^(a+)+$' });

const outcome = async (running: ReturnType<ValidationPool['validate']>): Promise<unknown> => {
  try {
    return (await running).map(({ cell_id, valid, errors }) => [cell_id, valid, errors[0]?.code]);
  } catch (error) {
    return error instanceof Fault ? error.code : error;
  }
};

describe('the validation pool', () => {
  it('returns one result per cell, in order, with any number of workers and batches', async () => {
    const cells = Array.from({ length: 200 }, (_, index) => ({
      ...json(index % 2 === 0 ? '1' : '['),
      cellId: `c${index}`,
      index,
    }));
    const results = await pool.validate(callOf(), cells, {}, 60_000);
    expect(results.map(({ cell_id, cell_index, valid }) => [cell_id, cell_index, valid])).toEqual(
      cells.map(({ cellId, index }) => [cellId, index, index % 2 === 0]),
    );
    expect(await pool.validate(callOf(), [], {}, 60_000)).toEqual([]);
  });

  it('passes shared schemas to the schemas that need them', async () => {
    const shared = { word: { type: 'string' } };
    const running = pool.validate(callOf(), [json('1', { $ref: 'scratchpad://schemas/word' })], shared, 60_000);
    expect(await outcome(running)).toEqual([['c', false, 'SCHEMA_TYPE']]);
  });

  it('stops a slow cell at the timeout without a partial result and continues to work', async () => {
    expect(await outcome(pool.validate(callOf(), [json('1'), slow], {}, 500))).toBe('VALIDATION_TIMEOUT');
    expect(await outcome(pool.validate(callOf(), [json('1')], {}, 60_000))).toEqual([['c', true, undefined]]);
  });

  it('keeps workers free for others while one tenant runs fifty slow validations', async () => {
    const stop = new AbortController();
    let endedCount = 0;
    const slowOnes = Array.from({ length: 50 }, () =>
      outcome(pool.validate(callOf(toTenantId('mallory'), stop.signal), [slow], {}, 60_000)).finally(() => {
        endedCount += 1;
      }),
    );
    for (const tenant of ['ada', 'bob', 'cy'])
      expect(await outcome(pool.validate(callOf(toTenantId(tenant)), [json('1')], {}, 60_000))).toHaveLength(1);
    expect(endedCount).toBe(0);
    stop.abort(new Error('enough'));
    for (const outcomeOf of await Promise.all(slowOnes)) expect((outcomeOf as Error).message).toBe('enough');
  });

  it('rejects a validation when too many of its tenant wait', async () => {
    const stop = new AbortController();
    const tenant = toTenantId('eve');
    const count = notebookLimits.validationsPerTenantCount + notebookLimits.waitingValidationsCount;
    const waiting = Array.from({ length: count }, () =>
      outcome(pool.validate(callOf(tenant, stop.signal), [slow], {}, 60_000)),
    );
    expect(await outcome(pool.validate(callOf(tenant), [json('1')], {}, 60_000))).toBe('WORKERS_BUSY');
    stop.abort(new Error('enough'));
    for (const outcomeOf of await Promise.all(waiting)) expect((outcomeOf as Error).message).toBe('enough');
    expect(await outcome(pool.validate(callOf(tenant), [json('1')], {}, 60_000))).toHaveLength(1);
  });

  it('identifies the cell that needs too much memory and validates the others', async () => {
    const hungry = { ...json(`[${'{"a":[1]},'.repeat(100_000)}1]`), cellId: 'h', index: 1, language: 'yaml' as const };
    const small = open(48);
    const running = createValidationPool({ workers: small }).validate(
      callOf(),
      [json('1'), hungry, json('[')],
      {},
      60_000,
    );
    expect(await outcome(running)).toEqual([
      ['c', true, undefined],
      ['h', false, 'VALIDATION_MEMORY'],
      ['c', false, 'JSON_SYNTAX'],
    ]);
    await small.close();
  });

  it('rejects a schema that nests too deep to be sent', async () => {
    let deep: unknown = {};
    for (let i = 0; i < 50_000; i += 1) deep = { not: deep };
    expect(await outcome(pool.validate(callOf(), [json('1', deep)], {}, 60_000))).toEqual([
      ['c', false, 'INVALID_SCHEMA'],
    ]);
  });

  it('stops when its caller aborts', async () => {
    expect(
      await outcome(pool.validate(callOf(localTenant, AbortSignal.abort(new Error('gone'))), [json('1')], {}, 60_000)),
    ).toEqual(new Error('gone'));
  });

  it.each([
    [
      'doubling references',
      json('"x"', {
        $ref: '#/$defs/d0',
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, i) => [
            `d${i}`,
            i === 39 ? true : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
          ]),
        ),
      }),
    ],
    [
      'a list of 200,000 values',
      json(JSON.stringify(Array.from({ length: 20_000 }, (_, i) => `v${i}`)), {
        items: { enum: Array.from({ length: 200_000 }, (_, i) => i) },
      }),
    ],
    ['deep brackets of JavaScript', { ...json('['.repeat(100_000)), language: 'js' as const }],
    ['deep brackets of YAML', { ...json('['.repeat(20_000)), language: 'yaml' as const }],
    ['5 MB of JavaScript', { ...json('a.b(c);'.repeat(750_000)), language: 'js' as const }],
    ['5 MB of broken Rust', { ...json('fn a( {'.repeat(750_000)), language: 'rs' as const }],
    ['5 MB of Markdown', { ...json('* a\n'.repeat(1_300_000)), language: 'md' as const }],
    ['5 MB of JSON and a schema', json(`[${'{"a":1},'.repeat(600_000)}1]`, { items: { type: 'string' } })],
  ] as const)('ends with a fault or a result: %s', async (_, cell) => {
    const result = await outcome(pool.validate(callOf(), [cell], {}, 2_000));
    if (result !== 'VALIDATION_TIMEOUT')
      expect([
        [['c', true, undefined]],
        [['c', null, undefined]],
        [['c', false, expect.stringMatching(/^[A-Z_]+$/)]],
      ]).toContainEqual(result);
  });

  it('answers null for a text that is too large to be parsed', async () => {
    const script = { ...json('a.b(c);'.repeat(750_000)), language: 'js' as const };
    const [result] = await pool.validate(callOf(), [script], {}, 60_000);
    expect(result).toMatchObject({ valid: null, errors: [], warnings: [{ code: 'TOO_LARGE' }] });
  });

  it('replaces a worker whose parser fails', async () => {
    const sample = readFileSync(new URL('../../../../tests/fixtures/cell-samples/rb.txt', import.meta.url), 'utf8');
    // The scanner of the Ruby grammar calls a function that the runtime lacks.
    const content = sample.replace("<<-'RAW'", `<<" -'RAW'`);
    const ruby = { ...json(content), language: 'rb' as const };
    expect(await outcome(pool.validate(callOf(), [ruby], {}, 60_000))).toEqual([['c', false, 'VALIDATION_FAILED']]);
  });

  it('survives a schema on a large document with little memory', async () => {
    const small = open(64);
    const schema = { items: { type: 'object', properties: { a: { type: 'string' } } } };
    const slim = createValidationPool({ workers: small });
    const first = await outcome(
      slim.validate(callOf(), [json(`[${'{"a":1},'.repeat(145_000)}1]`, schema)], {}, 60_000),
    );
    expect(first).toEqual([['c', false, 'VALIDATION_MEMORY']]);
    expect(await outcome(slim.validate(callOf(), [json('1')], {}, 60_000))).toEqual([['c', true, undefined]]);
    await small.close();
  });
});
