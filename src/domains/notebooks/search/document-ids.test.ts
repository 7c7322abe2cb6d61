import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../notebooks.fixture.ts';
import { listDocumentIds } from './document-source.ts';

describeOnEngines('the list of all documents', (engine) => {
  test('lists documents in pages of any size, each pad before its cells, complete and without duplicates', async () => {
    const memory = engine.open();
    const { ask, callOf } = memory.as(engine.newTenant());
    const counts: Readonly<Record<string, number>> = { a: 0, 'a-b': 3, B: 1, c: 40, d: 0, e: 2 };
    for (const [scratch_id, count] of Object.entries(counts)) {
      const cells = Array.from({ length: count }, (_, i) => ({ cell_id: `c${i}`, language: 'txt', content: 'x' }));
      await ask('scratch_create', { scratch_id, cells });
    }
    const inOrder = (ids: readonly string[]) => ids.toSorted((x, y) => (x < y ? -1 : 1));
    const wanted = inOrder(Object.keys(counts)).flatMap((id) => [
      id,
      ...inOrder(Array.from({ length: counts[id]! }, (_, i) => `${id}/c${i}`)),
    ]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (limit) => {
        const all: string[] = [];
        for (;;) {
          const after = all.at(-1);
          const page = await memory.storage.read(callOf(), (db) => listDocumentIds(db, after, limit));
          expect(page.length).toBeLessThanOrEqual(limit);
          if (page.length === 0) break;
          all.push(...page);
        }
        expect(all).toEqual(wanted);
      }),
      { numRuns: 12 },
    );
    const behind = await memory.storage.read(callOf(), (db) => listDocumentIds(db, 'bb/gone', 3));
    expect(behind).toEqual(['c', 'c/c0', 'c/c1']);
  });
});
