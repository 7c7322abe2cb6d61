import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyState, printState } from '../reducer/entity-state.ts';
import { reduceAll } from '../reducer/reducer.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import type { ReducerRow } from './observed-store.ts';
import { reduceRows, toObservation } from './reduce-rows.ts';

const schema: EntitySchema = {
  entity_type: 'thing',
  version: '1.0',
  fields: {
    last: { type: 'string' },
    best: { type: 'number', strategy: 'highest_priority', tie_breaker: 'specificity_score' },
    close: { type: 'string', strategy: 'most_specific' },
    all: { type: 'array', strategy: 'merge_array' },
    never: { type: 'string' },
  },
};

const text = fc.constantFrom('a', 'b', '"last":', '{"best":1}');
const stated = fc.record(
  {
    last: fc.oneof(text, fc.constant(7)),
    best: fc.oneof(fc.integer({ min: 0, max: 3 }), text),
    close: text,
    all: fc.array(text, { maxLength: 2 }),
    other: fc.record({ last: text }),
  },
  { requiredKeys: [] },
);

const row = fc
  .record({
    observed_at: fc.integer({ min: 0, max: 30 }),
    effective_at: fc.integer({ min: 0, max: 10 }),
    kind: fc.oneof({ weight: 9, arbitrary: fc.constant('payload' as const) }, fc.constant('correction' as const)),
    specificity: fc.constantFrom(0.2, 0.4),
    priority: fc.integer({ min: 1, max: 3 }),
    fields: stated,
    raw: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, stated),
    ended: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray(Object.keys(schema.fields))),
  })
  .map(
    ({ kind, fields, raw, ended, ...rest }): Omit<ReducerRow, 'observation_id'> => ({
      ...rest,
      source_kind: kind,
      created_at: 0,
      fields: JSON.stringify(fields),
      raw_fragments: JSON.stringify(raw),
      ...{ effective_until: null, retracted_at: null, origin: 'o' },
      details: JSON.stringify(ended.length === 0 ? {} : { ended }),
    }),
  );

const rows = fc
  .array(row, { minLength: 1, maxLength: 200, size: 'max' })
  .map((all) => all.map((one, i): ReducerRow => ({ ...one, observation_id: `obs_${(i * 7919) % 1009}` })));

test('[TR16] skipping rows gives the same bytes as reducing all of them, in any order and paging', () => {
  fc.assert(
    fc.property(rows, fc.nat(), fc.boolean(), (all, cut, isSorted) => {
      const given = isSorted ? all.toSorted((a, b) => a.observed_at - b.observed_at) : all;
      const at = cut % given.length;
      const first = reduceRows(emptyState, given.slice(0, at), schema);
      const state = reduceRows(first, given.slice(at), schema);
      expect(printState(state)).toBe(printState(reduceAll(all.map(toObservation), schema)));
    }),
    { numRuns: 300 },
  );
});

test('does not parse rows that cannot change the state', () => {
  const many = Array.from({ length: 1_000 }, (_, i): ReducerRow => {
    // Invalid JSON that contains field names as JSON would.
    const fields = i < 900 ? '"last": "best": broken' : JSON.stringify({ last: `${i}`, best: i });
    return {
      ...{ observed_at: i, observation_id: `obs_${i}`, source_kind: 'payload', specificity: 0.5, priority: 100 },
      ...{ created_at: i, fields, raw_fragments: '{}' },
      ...{ effective_at: i, effective_until: null, retracted_at: null, origin: 'o', details: '{}' },
    };
  });
  expect(reduceRows(emptyState, many, schema).get('last')).toMatchObject({ value: '999' });
  expect(() => reduceRows(emptyState, many.slice(0, 950), { ...schema, fields: {} })).not.toThrow();
  expect(() => reduceRows(emptyState, many.slice(0, 900), schema)).toThrow(SyntaxError);
});
