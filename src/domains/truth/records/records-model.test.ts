import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { RecordView } from './record.ts';
import { describeRecords } from './records.fixture.ts';

const words = ['kettle', 'teapot', 'zephyr', 'quartz'] as const;
const value = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(0, 1, true, null),
  fc.constantFrom({ a: 1, b: 'kettle' }, { b: 'kettle', a: 1 }, ['quartz', 1], []),
);
const properties = fc.dictionary(fc.constantFrom('p', 'q', 'r'), value, { maxKeys: 3 });
const type = fc.constantFrom('bill', 'memo');
const vector = fc.constantFrom([1, 0], [0, 1], [3, 4], [1, 0, 0]);
const place = fc.nat(7);

const op = fc.oneof(
  fc.record({ do: fc.constant('store' as const), type, properties, embedding: fc.option(vector, { nil: undefined }) }),
  fc.record({
    do: fc.constant('update' as const),
    place,
    type: fc.option(type, { nil: undefined }),
    properties,
    embedding: fc.option(vector, { nil: undefined }),
  }),
  fc.record({ do: fc.constant('delete' as const), place }),
  fc.record({ do: fc.constant('restore' as const), place }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000) }),
);
type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;

interface Known {
  record: RecordView;
  embedding: readonly number[] | undefined;
  isDeleted: boolean;
}

const textsOf = (given: unknown): readonly string[] =>
  typeof given === 'string'
    ? [given]
    : given !== null && typeof given === 'object'
      ? Object.values(given).flatMap(textsOf)
      : [];

const newestFirst = (a: RecordView, b: RecordView): number =>
  a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? 1 : -1;

const cosineOf = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * b[i]!, 0) / Math.hypot(...a) / Math.hypot(...b);

describeRecords('[TR24] records compared with a map', (engine) => {
  test('any history gives the same answers as a map', async () => {
    const fixture = engine.open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(op, { maxLength: 24 }),
        fc.array(properties, { minLength: 2, maxLength: 4 }),
        async (ops, filters) => {
          const one = fixture.as(engine.newTenant());
          const known: Known[] = [];

          async function run(step: Op): Promise<void> {
            if (step.do === 'wait') return fixture.clock.advance(step.ms);
            if (step.do === 'store') {
              const { do: _do, ...given } = step;
              const record = await one.store(given);
              expect(record).toMatchObject({ type: given.type, properties: given.properties });
              known.push({ record, embedding: given.embedding, isDeleted: false });
              return;
            }
            const at = known[step.place];
            const id = at?.record.id ?? 'unknown';
            const isThere = at !== undefined && !at.isDeleted;
            if (step.do === 'update') {
              const { do: _do, place: _place, ...changes } = step;
              const result = await one.ask('update_record', { id, ...changes });
              if (!isThere) return expect(result.error?.code).toBe('RECORD_NOT_FOUND');
              at.record = {
                ...at.record,
                type: changes.type ?? at.record.type,
                properties: { ...at.record.properties, ...changes.properties },
                updated_at: new Date(fixture.clock.now()).toISOString(),
              };
              at.embedding = changes.embedding ?? at.embedding;
              return expect(result).toEqual(at.record);
            }
            if (step.do === 'delete') {
              const result = await one.ask('delete_record', { id });
              if (!isThere) return expect(result.error?.code).toBe('RECORD_NOT_FOUND');
              at.isDeleted = true;
              return expect(result).toMatchObject({ success: true, deleted_id: id, restore: { arguments: { id } } });
            }
            const result = await one.ask('restore_record', { id });
            if (at === undefined) return expect(result.error?.code).toBe('RECORD_NOT_FOUND');
            at.isDeleted = false;
            return expect(result).toEqual(at.record);
          }

          for (const step of ops) await run(step);

          const there = known.filter(({ isDeleted }) => !isDeleted);
          const newest = there.map(({ record }) => record).sort(newestFirst);
          expect(await one.retrieve({ limit: 100 })).toEqual({ records: newest, total: newest.length });
          for (const wanted of ['bill', 'memo']) {
            for (const filter of filters) {
              const matches = newest.filter(
                (record) =>
                  record.type === wanted &&
                  Object.entries(filter).every(
                    ([name, given]) =>
                      name in record.properties && canonicalJson(record.properties[name]) === canonicalJson(given),
                  ),
              );
              const answer = await one.retrieve({ type: wanted, properties: filter, limit: 3 });
              const hasMore = matches.length > 3;
              expect(answer).toEqual({
                records: matches.slice(0, 3),
                total: matches.length,
                ...(hasMore && { next_cursor: expect.any(String) }),
              });
            }
          }
          for (const word of words) {
            const matches = newest.filter((record) => textsOf(record.properties).includes(word)).map(({ id }) => id);
            const answer = await one.retrieve({ search: [word], search_mode: 'keyword', limit: 100 });
            expect(answer.total).toBe(matches.length);
            expect(answer.records.map(({ id }) => id).toSorted()).toEqual(matches.sort());
          }
          const embedded = there.filter(({ embedding }) => embedding?.length === 2);
          if (embedded.length === 0) return;
          const near = embedded
            .map(({ record, embedding }) => ({
              id: record.id,
              similarity: Math.round(cosineOf(embedding!, [1, 0]) * 1e6) / 1e6,
            }))
            .filter(({ similarity }) => similarity >= 0.5)
            .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
          const answer = await one.retrieve({ query_embedding: [1, 0], similarity_threshold: 0.5, limit: 100 });
          expect(answer.records.map(({ id, similarity }) => ({ id, similarity }))).toEqual(near);
        },
      ),
      { numRuns: engine.name === 'PostgreSQL' ? 25 : 100 },
    );
  });
});
