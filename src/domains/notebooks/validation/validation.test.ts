import { expect, test } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import { workerFaults } from '#kernel/workers/worker-faults.ts';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { describeOnEngines } from '../notebooks.fixture.ts';
import type { ValidationPool } from './validation-pool.ts';

type Answer = Readonly<Record<string, unknown>>;
const codeOf = (answer: Answer) => (answer['error'] as { code: string } | undefined)?.code;
const resultsOf = (answer: Answer) => answer['results'] as readonly Record<string, unknown>[];

const person = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const failing = (error: unknown): ValidationPool => ({
  validate: async () => {
    throw error;
  },
});

describeOnEngines('validation', (engine) => {
  test('parses every cell in its language, in the order of the pad', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await ask('scratch_create', {
      scratch_id: 'plan',
      cells: [
        { cell_id: 'z', language: 'json', content: '{"a": 1}' },
        { cell_id: 'y', language: 'json', content: '{\n  "a": }' },
        { cell_id: 'x', language: 'py', content: 'def f(:\n  pass' },
        { cell_id: 'w', language: 'txt', content: 'anything {' },
      ],
    });
    const answer = await ask('scratch_validate', { scratch_id: 'plan' });
    expect(answer).toMatchObject({ ok: true, scratch_id: 'plan' });
    expect(resultsOf(answer)).toMatchObject([
      { cell_index: 0, cell_id: 'z', language: 'json', valid: true, errors: [] },
      { cell_index: 1, cell_id: 'y', valid: false, errors: [{ line: 2, column: expect.any(Number) }] },
      { cell_index: 2, cell_id: 'x', valid: false, errors: [{ line: 1 }] },
      { cell_index: 3, cell_id: 'w', valid: true, warnings: [{ code: 'VALIDATION_SKIPPED' }] },
    ]);
    const some = await ask('scratch_validate', { scratch_id: 'plan', cell_ids: ['y', 'z', 'y'] });
    expect(resultsOf(some).map(({ cell_id }) => cell_id)).toEqual(['z', 'y']);
    expect(resultsOf(await ask('scratch_validate', { scratch_id: 'plan', cell_ids: [] }))).toHaveLength(4);
  });

  test('applies schemas in every form of reference and warns about missing ones', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const team = { type: 'array', items: { $ref: 'scratchpad://schemas/person' } };
    const cell = (json_schema: unknown, content: string) => ({ language: 'json', content, json_schema });
    await ask('scratch_create', {
      scratch_id: 'plan',
      metadata: { schemas: { person: { id: 'p-1', schema: person }, team: { id: 't-1', schema: team } } },
      cells: [
        cell(person, '{}'),
        cell(JSON.stringify(person), '{}'),
        cell('scratchpad://schemas/person', '{}'),
        cell({ $ref: 'scratchpad://schemas/p-1' }, '{"name": "ada"}'),
        cell('scratchpad://schemas/team', '[{"name": 5}]'),
        cell('scratchpad://schemas/missing', '{}'),
      ],
    });
    const results = resultsOf(await ask('scratch_validate', { scratch_id: 'plan' }));
    expect(results.map(({ valid }) => valid)).toEqual([false, false, false, true, false, true]);
    expect(results[2]).toMatchObject({
      details: { schema_applied: 'p-1', schema_ref: 'scratchpad://schemas/person' },
    });
    expect(results[3]).toMatchObject({ details: { schema_applied: 'p-1', schema_ref: 'scratchpad://schemas/p-1' } });
    expect(results[4]).toMatchObject({ details: { schema_applied: 't-1' } });
    expect(results[5]).toMatchObject({ errors: [], warnings: [{ code: 'SCHEMA_REFERENCE_MISSING' }] });
  });

  test('reports errors of written cells and keeps the cells', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const bad = { language: 'json', content: '{', validate: true };
    const made = await ask('scratch_create', { scratch_id: 'plan', cells: [bad, { language: 'json', content: '{' }] });
    expect(made['validation']).toMatchObject([{ cell_index: 0, valid: false }]);
    await ask('scratch_upsert_schema', { scratch_id: 'plan', schema: { name: 'person', schema: person } });
    const appended = await ask('scratch_append_cell', {
      scratch_id: 'plan',
      cell: { language: 'json', content: '{}', validate: true, json_schema: 'scratchpad://schemas/person' },
    });
    expect(appended).toMatchObject({ ok: true, scratchpad: { cell_count: 3 } });
    expect(appended['validation']).toMatchObject([{ cell_index: 2, valid: false }]);
  });

  test('rejects unknown ids before it validates anything', async () => {
    const { ask } = engine.open({ pool: failing(new Error('reached')) }).as(engine.newTenant());
    await ask('scratch_create', { scratch_id: 'plan', cells: [{ cell_id: 'a', language: 'json', content: '1' }] });
    expect(codeOf(await ask('scratch_validate', { scratch_id: 'missing' }))).toBe('NOT_FOUND');
    expect(codeOf(await ask('scratch_validate', { scratch_id: 'plan', cell_ids: ['a', 'b'] }))).toBe('INVALID_ID');
    expect(codeOf(await ask('scratch_validate', { scratch_id: 'plan', cell_ids: ['a b'] }))).toBe('INVALID_ID');
    await ask('scratch_create', { scratch_id: 'empty' });
    expect(await ask('scratch_validate', { scratch_id: 'empty' })).toEqual({
      ok: true,
      scratch_id: 'empty',
      results: [],
    });
  });

  test('fails a validation at its timeout, but never a write', async () => {
    const timeout = notebookFaults.VALIDATION_TIMEOUT({ ms: 5 });
    const { ask } = engine.open({ pool: failing(timeout) }).as(engine.newTenant());
    const cell = { cell_id: 'a', language: 'json', content: '1', validate: true };
    const made = await ask('scratch_create', { scratch_id: 'plan', cells: [cell] });
    expect(made).toMatchObject({
      ok: true,
      validation: [{ cell_id: 'a', valid: null, errors: [], warnings: [{ code: 'VALIDATION_TIMEOUT' }] }],
    });
    const answer = await ask('scratch_validate', { scratch_id: 'plan' });
    expect(codeOf(answer)).toBe('VALIDATION_TIMEOUT');
    expect(answer).not.toHaveProperty('results');
  });

  test.each([
    ['busy workers', workerFaults.WORKERS_BUSY({ waiting: 9 }), 'WORKERS_BUSY'],
    ['a bug', new Error('no such thing'), 'VALIDATION_FAILED'],
  ])('keeps a write when its validation fails: %s', async (_, error, code) => {
    const memory = engine.open({ pool: failing(error) });
    const { ask } = memory.as(engine.newTenant());
    await ask('scratch_create', { scratch_id: 'plan' });
    const cell = { language: 'json', content: '1', validate: true };
    expect(await ask('scratch_append_cell', { scratch_id: 'plan', cell })).toMatchObject({
      ok: true,
      scratchpad: { cell_count: 1 },
      validation: [{ valid: null, warnings: [{ code }] }],
    });
    expect(memory.log.lines.filter(({ level }) => level === 'error')).toHaveLength(error instanceof Fault ? 0 : 1);
  });

  test('rejects a call above the size limit and accepts a part of it', async () => {
    const { ask } = engine.open({ pool: { validate: async () => [] } }).as(engine.newTenant());
    const content = 'x'.repeat(notebookLimits.validatedBytes / 5);
    await ask('scratch_create', { scratch_id: 'plan', cells: [{ cell_id: 'a', language: 'txt', content }] });
    for (const cell_id of ['b', 'c', 'd', 'e', 'f']) {
      await ask('scratch_append_cell', { scratch_id: 'plan', cell: { cell_id, language: 'txt', content } });
    }
    expect(codeOf(await ask('scratch_validate', { scratch_id: 'plan' }))).toBe('CAPACITY_LIMIT_REACHED');
    expect(await ask('scratch_validate', { scratch_id: 'plan', cell_ids: ['a', 'c'] })).toMatchObject({ ok: true });
  });
});
