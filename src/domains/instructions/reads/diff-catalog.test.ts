import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffEntries } from './diff-catalog.ts';

const held = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), fc.constantFrom('1', '2'))
  .map((map) => Object.entries(map).map(([id, sourceHash]) => ({ id, sourceHash })));

describe('diffEntries', () => {
  it('[IN11] makes a client copy equal to the catalog', () => {
    fc.assert(
      fc.property(held, held, (entries, known) => {
        const { added, updated, removed } = diffEntries(entries, known);
        const copy = new Map(known.map(({ id, sourceHash }) => [id, sourceHash]));
        for (const id of removed) expect(copy.delete(id)).toBe(true);
        for (const { id } of added) expect(copy.has(id)).toBe(false);
        for (const { id } of updated) expect(copy.has(id)).toBe(true);
        for (const { id, sourceHash } of [...added, ...updated]) copy.set(id, sourceHash);
        expect(copy).toEqual(new Map(entries.map(({ id, sourceHash }) => [id, sourceHash])));
      }),
    );
  });

  it('[IN11] returns nothing that the client has already', () => {
    fc.assert(
      fc.property(held, (entries) => {
        expect(diffEntries(entries, entries)).toEqual({ added: [], updated: [], removed: [] });
      }),
    );
  });
});
