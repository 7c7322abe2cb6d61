import { afterAll, describe, expect, it } from 'vitest';
import { type Call, localTenant, type TenantId, toTenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { createWorkers, type Workers } from '#kernel/workers/workers.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { type Checker, createChecker } from './checker.ts';
import type { CellToCheck } from './task.ts';

const entry = new URL('#app/checks.worker.ts', import.meta.url);
const open = (heapMb: number): Workers =>
  createWorkers({
    entry,
    isolation: 'process',
    threadsCount: notebookLimits.checkThreadsCount,
    heapMb,
    memoryMb: notebookLimits.checkMemoryMb,
  });
const workers = open(notebookLimits.checkHeapMb);
const checker = createChecker({ workers });
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
const json = (content: string, schema?: unknown): CellToCheck => ({
  cellId: 'c',
  index: 0,
  language: 'json',
  content,
  ...(schema === undefined ? {} : { schema: { kind: 'schema', schema } }),
});
/** Takes for ever: two readings of each letter. */
const bomb = json(JSON.stringify(`${'a'.repeat(50)}!`), { pattern: '^(a+)+$' });

const outcome = async (running: ReturnType<Checker['check']>): Promise<unknown> => {
  try {
    return (await running).map(({ cell_id, valid, errors }) => [cell_id, valid, errors[0]?.code]);
  } catch (error) {
    return error instanceof Fault ? error.code : error;
  }
};

describe('a checker', () => {
  it('answers with one result a cell, in their order, however many threads and batches it takes', async () => {
    const cells = Array.from({ length: 200 }, (_, index) => ({
      ...json(index % 2 === 0 ? '1' : '['),
      cellId: `c${index}`,
      index,
    }));
    const results = await checker.check(callOf(), cells, {}, 60_000);
    expect(results.map(({ cell_id, cell_index, valid }) => [cell_id, cell_index, valid])).toEqual(
      cells.map(({ cellId, index }) => [cellId, index, index % 2 === 0]),
    );
    expect(await checker.check(callOf(), [], {}, 60_000)).toEqual([]);
  });

  it('gives the shared schemas to the schemas that need them', async () => {
    const shared = { word: { type: 'string' } };
    const running = checker.check(callOf(), [json('1', { $ref: 'scratchpad://schemas/word' })], shared, 60_000);
    expect(await outcome(running)).toEqual([['c', false, 'SCHEMA_TYPE']]);
  });

  it('ends a bomb at its time, without a partial result, and goes on', async () => {
    expect(await outcome(checker.check(callOf(), [json('1'), bomb], {}, 500))).toBe('VALIDATION_TIMEOUT');
    expect(await outcome(checker.check(callOf(), [json('1')], {}, 60_000))).toEqual([['c', true, undefined]]);
  });

  it('keeps threads for others while one tenant has fifty bombs under way', async () => {
    const bombs = Array.from({ length: 50 }, () =>
      outcome(checker.check(callOf(toTenantId('mallory')), [bomb], {}, 2_000)),
    );
    let isOver = false;
    const all = Promise.all(bombs).then((outcomes) => {
      isOver = true;
      return outcomes;
    });
    for (const tenant of ['ada', 'bob', 'cy'])
      expect(await outcome(checker.check(callOf(toTenantId(tenant)), [json('1')], {}, 60_000))).toHaveLength(1);
    expect(isOver).toBe(false);
    expect(new Set(await all)).toEqual(new Set(['VALIDATION_TIMEOUT']));
  });

  it('refuses what would wait behind too many checks of its tenant', async () => {
    const stop = new AbortController();
    const tenant = toTenantId('eve');
    const count = notebookLimits.checkPerTenantCount + notebookLimits.checkWaitingPerTenantCount;
    const held = Array.from({ length: count }, () =>
      outcome(checker.check(callOf(tenant, stop.signal), [bomb], {}, 60_000)),
    );
    expect(await outcome(checker.check(callOf(tenant), [json('1')], {}, 60_000))).toBe('WORKERS_BUSY');
    stop.abort(new Error('enough'));
    for (const outcomeOf of await Promise.all(held)) expect((outcomeOf as Error).message).toBe('enough');
    expect(await outcome(checker.check(callOf(tenant), [json('1')], {}, 60_000))).toHaveLength(1);
  });

  it('tells which of several cells takes too much memory, and judges the others', async () => {
    const hungry = { ...json(`[${'{"a":[1]},'.repeat(100_000)}1]`), cellId: 'h', index: 1, language: 'yaml' as const };
    const small = open(48);
    const running = createChecker({ workers: small }).check(callOf(), [json('1'), hungry, json('[')], {}, 60_000);
    expect(await outcome(running)).toEqual([
      ['c', true, undefined],
      ['h', false, 'VALIDATION_MEMORY'],
      ['c', false, 'JSON_SYNTAX'],
    ]);
    await small.close();
  });

  it('refuses a schema that nests too deep to be sent', async () => {
    let deep: unknown = {};
    for (let i = 0; i < 50_000; i += 1) deep = { not: deep };
    expect(await outcome(checker.check(callOf(), [json('1', deep)], {}, 60_000))).toEqual([
      ['c', false, 'INVALID_SCHEMA'],
    ]);
  });

  it('stops when its caller is gone', async () => {
    expect(
      await outcome(checker.check(callOf(localTenant, AbortSignal.abort(new Error('gone'))), [json('1')], {}, 60_000)),
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
  ] as const)('ends with a fault or an answer: %s', async (_, cell) => {
    const result = await outcome(checker.check(callOf(), [cell], {}, 2_000));
    if (result !== 'VALIDATION_TIMEOUT')
      expect([[['c', true, undefined]], [['c', false, expect.stringMatching(/^[A-Z_]+$/)]]]).toContainEqual(result);
  });

  it('says of a sound text that is too large to be read that it was not read, and not that it is wrong', async () => {
    const script = { ...json('a.b(c);'.repeat(750_000)), language: 'js' as const };
    const [result] = await checker.check(callOf(), [script], {}, 60_000);
    expect(result).toMatchObject({ valid: true, errors: [], warnings: [{ code: 'TOO_LARGE' }] });
  });

  it('lives on when a schema is applied to a megabyte with little memory', async () => {
    const small = open(64);
    const schema = { items: { type: 'object', properties: { a: { type: 'string' } } } };
    const slim = createChecker({ workers: small });
    const first = await outcome(slim.check(callOf(), [json(`[${'{"a":1},'.repeat(145_000)}1]`, schema)], {}, 60_000));
    expect(first).toEqual([['c', false, 'VALIDATION_MEMORY']]);
    expect(await outcome(slim.check(callOf(), [json('1')], {}, 60_000))).toEqual([['c', true, undefined]]);
    await small.close();
  });
});
