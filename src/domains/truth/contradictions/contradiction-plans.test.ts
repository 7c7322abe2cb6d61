import { expect, test } from 'vitest';
import type { Reader, Step } from '#kernel/storage/port.ts';
import type { Sql } from '#kernel/storage/sql.ts';
import { describeTruth } from '../truth.fixture.ts';
import * as store from './contradiction-store.ts';
import { openContradictionsFixture } from './contradictions.fixture.ts';

const probe = { place: 0, entityId: 'ent_1', from: 1, end: 2, statedFrom: 0, origin: 'a', fields: '{}' };
const place = { opened_at: 9, contradiction_id: 'con_1' };

const questions: Readonly<Record<string, (db: Reader) => unknown>> = {
  findDisputed: (db) => store.findDisputed(db, [probe], 10),
  listCompeting: (db) => store.listCompeting(db, ['ent_1'], probe, 10),
  listCorrections: (db) => store.listCorrections(db, ['ent_1'], 10),
  listOfEntities: (db) => store.listOfEntities(db, ['ent_1'], 10),
  listOpenPage: (db) => store.listOpenPage(db, place, 10),
  listPage: (db) => store.listPage(db, place, 10),
  listPageOfType: (db) => store.listPageOfType(db, 'task', place, 10),
};

describeTruth('[TR101] the queries of contradictions', (engine) => {
  const isSqlite = engine.kind === 'sqlite';
  test.skipIf(!isSqlite).each(Object.entries(questions))('%s reads through an index', async (_, ask) => {
    const { read } = openContradictionsFixture(engine).as();
    const plans = await read(function* (db) {
      const asked: Step<readonly { readonly detail: string }[]>[] = [];
      const all = ({ parts: [first, ...parts], args }: Sql) => {
        asked.push(db.all({ parts: [`explain query plan ${first}`, ...parts], args }));
        return {
          // biome-ignore lint/correctness/useYield: it answers without asking the store.
          *[Symbol.iterator]() {
            return [];
          },
        };
      };
      void [...(ask({ tenant: db.tenant, now: 0, all, get: all } as unknown as Reader) as Iterable<unknown>)];
      return (yield* asked[0]!).map(({ detail }) => detail);
    });
    expect(plans.some((detail) => /SEARCH/.test(detail))).toBe(true);
    expect(plans.filter((detail) => /SCAN (?:o|truth_)/.test(detail))).toEqual([]);
  });
});
