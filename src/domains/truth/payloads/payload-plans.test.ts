import { expect, test } from 'vitest';
import type { Reader } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { createGraphFixture, queryOf } from '../relationships/graph.fixture.ts';
import { describeTruth } from '../truth.fixture.ts';
import { findPayloadsByContent, findWholeByContent } from './payload-store.ts';
import { findAlike, findUncheckedSubmissions } from './submission-store.ts';

const questions: Readonly<Record<string, (db: Reader) => unknown>> = {
  findWholeByContent: (db) => findWholeByContent(db, ['a', 'b']),
  findPayloadsByContent: (db) => findPayloadsByContent(db, ['a', 'b']),
  findAlike: (db) => findAlike(db, ['a', 'b'], [1, 2]),
  findUncheckedSubmissions: (db) => findUncheckedSubmissions(db, ['a', 'b']),
};

describeTruth('a payload that is sent again', (engine) => {
  test.skipIf(engine.kind !== 'sqlite').each(Object.entries(questions))('is found by an index: %s', async (_, ask) => {
    const { read, tenant } = createGraphFixture(engine);
    const rows = await read((db) =>
      db.all(sql<{ detail: string }>`explain query plan ${queryOf(ask, tenant)}`)[Symbol.iterator](),
    );
    const plan = rows.map(({ detail }) => detail).join('\n');
    expect(plan).toMatch(/SEARCH truth_\w+ USING INDEX/);
    // The tenant alone finds all of its rows.
    expect(plan).not.toMatch(/\(tenant=\?\)/);
  });
});
