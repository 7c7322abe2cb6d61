import { describe, expect, it, type TestContext, vi } from 'vitest';
import {
  type EngineName,
  engines,
  type Json,
  md,
  type NotebookProgram,
  openNotebooks,
  openOn,
  type Written,
} from './notebook-program.ts';

const limit = (name: string, value: string | number): Readonly<Record<string, string>> => ({
  [`SCRATCH_NOTEBOOK_${name}`]: String(value),
});

async function open(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  engine: EngineName,
  ...limits: readonly Readonly<Record<string, string>>[]
): Promise<NotebookProgram> {
  const program = await openOn(engine, Object.assign({}, ...limits) as Record<string, string>);
  onTestFinished(() => program.close());
  return program;
}

const create = (program: NotebookProgram, scratch_id: string, more: Json = {}): Promise<Written> =>
  program.call<Written>('scratch_create', { scratch_id, ...more });
const listIds = async (program: NotebookProgram): Promise<readonly string[]> =>
  (await program.call<{ scratchpads: readonly { readonly scratch_id: string }[] }>('scratch_list')).scratchpads.map(
    ({ scratch_id }) => scratch_id,
  );

describe.concurrent.each(engines)('limits, on %s', (engine) => {
  it('fail: rejects a pad above the limit, allows a reset, and accepts a pad after a deletion', async (context) => {
    const program = await open(context, engine, limit('MAX_SCRATCHPADS', 2));
    await create(program, 'a');
    await create(program, 'b', { metadata: { namespace: 'n' } });
    const error = await program.fail('scratch_create', {
      scratch_id: 'c',
      metadata: { namespace: 'new', tags: ['t'] },
    });
    expect(error).toMatchObject({ code: 'CAPACITY_LIMIT_REACHED', details: { limit: 2 } });
    expect(await listIds(program)).toEqual(['a', 'b']);
    expect(await program.call('scratch_namespace_list')).toMatchObject({ namespaces: [{ namespace: 'n' }] });
    expect(await program.call('scratch_list_tags')).toMatchObject({ scratchpad_tags: [] });
    expect(await create(program, 'a')).toMatchObject({ reset: true });
    await program.call('scratch_delete', { scratch_id: 'a' });
    expect(await create(program, 'c')).not.toHaveProperty('evicted_scratchpads');
    expect(await listIds(program)).toEqual(['b', 'c']);
  });

  it('discard: moves the least recently used pad to the trash, names it in the answer, and logs it', async (context) => {
    const program = await open(context, engine, limit('MAX_SCRATCHPADS', 3), limit('EVICTION_POLICY', 'discard'), {
      FOURFOLD_LOG_LEVEL: 'info',
    });
    for (const id of ['a', 'b', 'c']) await create(program, id, { cells: [md(`of ${id}`, { tags: [`t-${id}`] })] });
    await program.read('a');
    const answer = await create(program, 'd');
    expect(answer.evicted_scratchpads).toEqual(['b']);
    expect(await listIds(program)).toEqual(['a', 'c', 'd']);
    expect(await program.call('scratch_list_tags')).toMatchObject({ cell_tags: ['t-a', 't-c'] });
    expect((await program.fail('scratch_read', { scratch_id: 'b' })).code).toBe('NOT_FOUND');
    await program.call('scratch_append_cell', { scratch_id: 'c', cell: md('x') });
    expect((await create(program, 'e')).evicted_scratchpads).toEqual(['a']);
    const entries = () =>
      program
        .said()
        .split('\n')
        .filter((line) => line.includes('evicted'))
        .map((line) => JSON.parse(line) as Json);
    // The log has a pipe of its own and may arrive after the answer.
    await vi.waitFor(() => expect(entries()).toHaveLength(2), { timeout: 120_000 });
    expect(entries()).toMatchObject([
      { scratch_id: 'b', policy: 'discard' },
      { scratch_id: 'a', policy: 'discard' },
    ]);
  });

  it('discard: remembers the last access across a restart', async (context) => {
    const first = await open(context, engine, limit('MAX_SCRATCHPADS', 3), limit('EVICTION_POLICY', 'discard'));
    for (const id of ['a', 'b', 'c']) await create(first, id);
    await first.read('a');
    expect(await first.end()).toBe(0);
    const second = await openNotebooks(first.env);
    expect((await create(second, 'd')).evicted_scratchpads).toEqual(['b']);
    await second.close();
  });

  it('preempt: rejects a new pad while all pads are young', async (context) => {
    const program = await open(context, engine, limit('MAX_SCRATCHPADS', 1), limit('EVICTION_POLICY', 'preempt'));
    await create(program, 'a');
    expect((await program.fail('scratch_create', { scratch_id: 'b' })).code).toBe('CAPACITY_LIMIT_REACHED');
    expect(await listIds(program)).toEqual(['a']);
  });

  it('preempt: evicts old pads at the limit', async (context) => {
    const program = await open(
      context,
      engine,
      limit('MAX_SCRATCHPADS', 2),
      limit('EVICTION_POLICY', 'preempt'),
      limit('PREEMPT_AGE', 0),
    );
    await create(program, 'a');
    await create(program, 'b');
    const one = await create(program, 'c');
    expect(one.evicted_scratchpads).toEqual(['a']);
    expect(await listIds(program)).toEqual(['b', 'c']);
  });

  it('preempt: evicts old pads in the background', async (context) => {
    const program = await open(
      context,
      engine,
      limit('EVICTION_POLICY', 'preempt'),
      limit('PREEMPT_AGE', 1),
      limit('PREEMPT_INTERVAL', '1s'),
    );
    await create(program, 'a');
    // The global one does not know which of several concurrent tests it belongs to.
    await context.expect.poll(() => listIds(program), { timeout: 120_000, interval: 100 }).toEqual([]);
  });

  it('cells: rejects one above the limit in create and append, but not a replacement', async (context) => {
    const program = await open(context, engine, limit('MAX_CELLS_PER_PAD', 3));
    const cells = [0, 1, 2].map((n) => md(`${n}`, { cell_id: `c${n}` }));
    await create(program, 'a', { cells });
    const before = await program.read('a');
    const cell = md('3', { tags: ['t'] });
    for (const [name, args] of [
      ['scratch_append_cell', { scratch_id: 'a', cell }],
      ['scratch_create', { scratch_id: 'a', cells: [...cells, cell] }],
    ] as const) {
      expect(await program.fail(name, args)).toMatchObject({ code: 'CAPACITY_LIMIT_REACHED', details: { limit: 3 } });
    }
    expect(await program.read('a')).toEqual(before);
    await program.call('scratch_replace_cell', { scratch_id: 'a', cell_id: 'c0', cell });
  });

  it('bytes: counts UTF-8 in every tool', async (context) => {
    const program = await open(context, engine, limit('MAX_CELL_BYTES', 10));
    await create(program, 'a', { cells: [md('ä'.repeat(5), { cell_id: 'c' })] });
    const before = await program.read('a');
    const cell = md(`${'ä'.repeat(5)}.`);
    for (const [name, args] of [
      ['scratch_append_cell', { scratch_id: 'a', cell }],
      ['scratch_replace_cell', { scratch_id: 'a', cell_id: 'c', cell }],
      ['scratch_create', { scratch_id: 'a', cells: [cell] }],
    ] as const) {
      expect(await program.fail(name, args)).toMatchObject({ code: 'CAPACITY_LIMIT_REACHED', details: { limit: 10 } });
    }
    expect(await program.read('a')).toEqual(before);
  });

  it('treats 0 as unlimited', async (context) => {
    const none = ['MAX_SCRATCHPADS', 'MAX_CELLS_PER_PAD', 'MAX_CELL_BYTES'].map((name) => limit(name, 0));
    const program = await open(context, engine, ...none);
    const cells = Array.from({ length: 1025 }, (_, n) => md(`${n}`));
    expect((await create(program, 'many', { cells })).scratchpad.cell_count).toBe(1025);
    await create(program, 'long', { cells: [md('m'.repeat(6 * 1024 * 1024))] });
    expect((await program.read('long')).cells[0]?.content).toHaveLength(6 * 1024 * 1024);
  });
});

describe('default limits', () => {
  it('are 1024 cells of 5 MiB and 1024 pads', async (context) => {
    const program = await open(context, 'SQLite');
    const cells = Array.from({ length: 1024 }, (_, n) => md(`${n}`));
    expect((await create(program, 'many', { cells })).scratchpad.cell_count).toBe(1024);
    const error = await program.fail('scratch_append_cell', { scratch_id: 'many', cell: md('x') });
    expect(error).toMatchObject({ code: 'CAPACITY_LIMIT_REACHED', details: { limit: 1024 } });
    const mebibytes5 = 5 * 1024 * 1024;
    await create(program, 'long', { cells: [md('m'.repeat(mebibytes5))] });
    const over = await program.fail('scratch_append_cell', {
      scratch_id: 'long',
      cell: md('m'.repeat(mebibytes5 + 1)),
    });
    expect(over).toMatchObject({ code: 'CAPACITY_LIMIT_REACHED', details: { limit: mebibytes5 } });
    await Promise.all(Array.from({ length: 1022 }, (_, n) => create(program, `pad-${n}`)));
    const full = await program.fail('scratch_create', { scratch_id: 'one-more' });
    expect(full).toMatchObject({ code: 'CAPACITY_LIMIT_REACHED', details: { limit: 1024 } });
  });
});
