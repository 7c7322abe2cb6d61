import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeEntry } from '../rules/complete-entry.ts';
import type { CatalogEntry } from './catalog.ts';
import { ChunkedCatalogState } from './catalog-state.ts';
import { laterMoment } from './entry-chunks.ts';

const now = '2026-01-01T00:00:00.000Z';

function toRow(id: string, body: string, categories: readonly string[] = [], updatedAt = now): CatalogEntry {
  const input = { id, body, categories: [...categories], updatedAt };
  return { entry: completeEntry(input, { now, canonicalOff: false }), etag: `${id}/${body}` };
}

/** The oracle: built from a plain map each time. */
function plainly(rows: ReadonlyMap<string, CatalogEntry>) {
  const entries = [...rows.values()].map(({ entry }) => entry).sort((a, b) => (a.id < b.id ? -1 : 1));
  const text = entries.map(({ id, sourceHash }) => `${id}:${sourceHash}`).join('|');
  return { entries, hash: createHash('sha256').update(text).digest('hex') };
}

const id = fc.stringMatching(/^[a-z0-9]{1,3}$/);
const edit = fc.record({ id, body: fc.option(fc.constantFrom('one', 'two', 'three')), batch: fc.nat(40) });

describe('ChunkedCatalogState', () => {
  test('[IN6] agrees with a plain map after any edits and leaves earlier states unchanged', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 300 }), fc.nat(3_000), (edits, bulk) => {
        const rows = new Map<string, CatalogEntry>();
        for (let i = 0; i < bulk; i += 1) rows.set(`m${i}`, toRow(`m${i}`, 'one'));
        let state = ChunkedCatalogState.of(rows.values(), []);
        const before = { state, ...plainly(rows) };
        for (let from = 0; from < edits.length; from += 7) {
          const part = edits.slice(from, from + 7);
          const changes = new Map(part.map(({ id: key, body }) => [key, body === null ? undefined : toRow(key, body)]));
          for (const [key, row] of changes) {
            if (row === undefined) rows.delete(key);
            else rows.set(key, row);
          }
          state = state.with(changes, []);
          if (from % 2 === 0) expect(state.hash).toBe(plainly(rows).hash);
        }
        const expected = plainly(rows);
        expect(state.hash).toBe(expected.hash);
        expect(state.entries).toEqual(expected.entries);
        expect(state.count).toBe(rows.size);
        for (const [key, row] of rows) expect(state.find(key)).toBe(row);
        expect(state.find('never-there')).toBeUndefined();
        expect(before.state.hash).toBe(before.hash);
        expect(before.state.entries).toEqual(before.entries);
      }),
      { numRuns: 30 },
    );
  });

  test('grows entry by entry to thousands and shrinks back', () => {
    let state = ChunkedCatalogState.of([], []);
    const ids = Array.from({ length: 2_000 }, (_, i) => `n${(i * 7_919) % 2_000}`);
    for (const key of ids) state = state.with(new Map([[key, toRow(key, 'x')]]), []);
    expect(state.entries.map((entry) => entry.id)).toEqual(ids.toSorted());
    const full = state;
    for (const key of ids) state = state.with(new Map([[key, undefined]]), []);
    expect(state.count).toBe(0);
    expect(state.hash).toBe(createHash('sha256').digest('hex'));
    expect(state.lastModified).toBeUndefined();
    expect(full.count).toBe(2_000);
  });

  test('counts categories ignoring case, with the newest change of each', () => {
    const state = ChunkedCatalogState.of(
      [
        toRow('a', 'x', ['git', 'review'], '2026-01-03T00:00:00.000Z'),
        toRow('b', 'x', ['git'], '2026-01-04T00:00:00.000+09:00'),
        toRow('c', 'x', [], '2026-01-01T00:00:00.000Z'),
      ],
      [],
    );
    expect(state.categories).toEqual([
      { name: 'git', count: 2, lastUpdated: '2026-01-04T00:00:00.000+09:00' },
      { name: 'review', count: 1, lastUpdated: '2026-01-03T00:00:00.000Z' },
    ]);
    expect(state.inCategory('GIT').map((entry) => entry.id)).toEqual(['a', 'b']);
    expect(state.inCategory('none')).toEqual([]);
    expect(state.lastModified).toBe('2026-01-04T00:00:00.000+09:00');
  });
});

describe('laterMoment', () => {
  const moment = fc
    .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .chain((date) =>
      fc.constantFrom(
        date.toISOString(),
        date.toISOString().replace('Z', '+00:00'),
        new Date(date.getTime() + 7_200_000).toISOString().replace('Z', '+02:00'),
        date.toISOString().replace(/\.\d+Z/, 'Z'),
      ),
    );

  test('returns the later timestamp in any notation, and the first of two equal ones', () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        expect(laterMoment(a, b)).toBe(Date.parse(b) > Date.parse(a) ? b : a);
        expect(laterMoment('', a)).toBe(a);
      }),
    );
  });
});
