import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerSearch } from './answer-search.ts';
import { defineCollection, type SearchDocument } from './collection.ts';
import { documentsArbitrary } from './documents.fixture.ts';
import { createStoredPart, emptyView, hide } from './keyword/index/view.ts';
import { createSearchBuffers } from './keyword/query/search-buffers.ts';
import { buildStaticIndex, decodeStaticIndex, encodeStaticIndex, type StaticIndex } from './static-index.ts';
import { createStemmer } from './stemmer.ts';

const collection = defineCollection({ name: 'things', fields: { title: 3, body: 1 }, title: 'title' });
const deps = { stemOf: createStemmer(), buffersFor: createSearchBuffers() };
const idsOf = (documents: readonly SearchDocument[]) => documents.map(({ id }) => id);

async function search(text: string, stored: readonly StaticIndex[], staticParts: readonly StaticIndex[]) {
  const view = {
    ...emptyView,
    stored: stored.map((part, i) => createStoredPart(collection, `${i}`, part.segment, undefined)),
  };
  return answerSearch(collection, view, { text, limit: 50, staticParts }, deps);
}

describe('the static index', () => {
  it('is ranked together with the documents of the store', async () => {
    await fc.assert(
      fc.asyncProperty(
        documentsArbitrary(12),
        fc.constantFrom('hook', 'create service', 'user_id', 'nothing-there'),
        async (documents, text) => {
          const own = documents.filter((_, i) => i % 2 === 0);
          const others = documents.filter((_, i) => i % 2 === 1);
          const apart = await search(
            text,
            [await buildStaticIndex(collection, own)],
            [await buildStaticIndex(collection, others)],
          );
          const together = await search(text, [await buildStaticIndex(collection, documents)], []);
          expect(apart.hits.map(({ id, score, why }) => ({ id, score, why }))).toEqual(
            together.hits.map(({ id, score, why }) => ({ id, score, why })),
          );
          expect(apart.total).toBe(together.total);
        },
      ),
      { numRuns: 30 },
    );
  });

  const documents = [
    { id: 'a', fields: { title: 'Hooks', body: 'around a method' } },
    { id: 'b', fields: { title: 'Services', body: 'hooks and methods' } },
  ];

  it('survives encoding', async () => {
    const made = await buildStaticIndex(collection, documents);
    const bytes = encodeStaticIndex(made);
    // At an odd offset, like bytes from a buffer pool.
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    const read = decodeStaticIndex(collection, shifted.subarray(1), ['b', 'a']);
    expect(read?.segment.docCount).toBe(2);
    const found = await search('hooks', [], [read!]);
    expect(found.hits).toEqual((await search('hooks', [], [made])).hits);
    expect(idsOf(found.hits as never)).toEqual(['a', 'b']);
  });

  it.each([
    ['other documents', ['a', 'c']],
    ['fewer documents', ['a']],
    ['more documents', ['a', 'b', 'c']],
  ])('is not decoded for the ids of %s', async (_what, ids) => {
    expect(
      decodeStaticIndex(collection, encodeStaticIndex(await buildStaticIndex(collection, documents)), ids),
    ).toBeUndefined();
  });

  it('is not decoded with other fields, nor from other bytes', async () => {
    const bytes = encodeStaticIndex(await buildStaticIndex(collection, documents));
    const wider = defineCollection({ name: 'things', fields: { title: 3, tags: 1, body: 1 } });
    expect(decodeStaticIndex(wider, bytes, ['a', 'b'])).toBeUndefined();
    expect(decodeStaticIndex(collection, Buffer.from('no index at all, but long enough'), [])).toBeUndefined();
  });

  it('hides single documents', async () => {
    const made = await buildStaticIndex(collection, documents);
    const before = [made];
    expect((await search('hooks', [], before)).hits.map(({ id }) => id)).toEqual(['a', 'b']);
    const found = await search('hooks', [], [hide(made, ['a', 'zzz'])]);
    expect(found.hits.map(({ id }) => id)).toEqual(['b']);
    // The cache of the old part must not be used for the new one.
    const rest = await buildStaticIndex(collection, documents.slice(1));
    expect(found.hits[0]?.score).toBe((await search('hooks', [], [rest])).hits[0]?.score);
    expect((await search('hooks', [], before)).total).toBe(2);
  });
});
