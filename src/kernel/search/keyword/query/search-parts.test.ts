import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineCollection, type SearchDocument } from '../../collection.ts';
import { documentsArbitrary, wordArbitrary } from '../../documents.fixture.ts';
import { createStemmer } from '../../stemmer.ts';
import { buildSegment } from '../segment/build-segment.ts';
import { runAtOnce } from '../segment/run-in-slices.ts';
import { createBits, idAt, setBit } from '../segment/segment.ts';
import { parseQuery } from './parse-query.ts';
import { createPart, type Part, PartCache } from './part.ts';
import { searchPlainly } from './plain-search.fixture.ts';
import { createSearchBuffers } from './search-buffers.ts';
import { type PartsQuery, searchParts } from './search-parts.ts';

const collection = defineCollection({
  ...{ name: 'pages', fields: { title: 3, body: 1 }, title: 'title' },
  relativeLengthMax: 1.5,
});
const stemOf = createStemmer();
const buffersFor = createSearchBuffers();

/** Later steps replace documents of earlier ones, like the parts of an index after several writes. */
function toParts(steps: readonly (readonly SearchDocument[])[]): {
  parts: readonly Part[];
  living: readonly SearchDocument[];
} {
  const living = new Map<string, SearchDocument>();
  for (const step of steps) for (const document of step) living.set(document.id, document);
  const parts = steps.map((step) => {
    const segment = runAtOnce(buildSegment(collection.fields, step, stemOf));
    const dead = createBits(segment.docCount);
    for (let doc = 0; doc < segment.docCount; doc += 1) {
      if (!step.includes(living.get(idAt(segment, doc))!)) setBit(dead, doc);
    }
    return createPart(collection, segment, dead);
  });
  return { parts, living: [...living.values()] };
}

type Steps = readonly (readonly SearchDocument[])[];

/** A part of the documents' text that begins and ends anywhere, often inside words. */
const excerptArbitrary = (steps: Steps): fc.Arbitrary<string> => {
  const texts = steps.flat().flatMap(({ fields }) => Object.values(fields).flatMap((text) => text || []));
  if (texts.length === 0) return fc.constant('hook');
  return fc
    .tuple(fc.constantFrom(...texts), fc.nat(60), fc.integer({ min: 2, max: 16 }))
    .map(([text, start, length]) => text.slice(start % text.length, (start % text.length) + length));
};

const pieceArbitrary = (steps: Steps): fc.Arbitrary<string> => {
  const excerpt = excerptArbitrary(steps);
  return fc.oneof(
    { weight: 4, arbitrary: wordArbitrary },
    { weight: 2, arbitrary: excerpt },
    { weight: 1, arbitrary: wordArbitrary.map((word) => `${word.slice(0, 3)}*`) },
    { weight: 1, arbitrary: excerpt.map((text) => `"${text}"`) },
    {
      weight: 1,
      arbitrary: fc.array(wordArbitrary, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`),
    },
  );
};

const queryArbitrary = (steps: Steps): fc.Arbitrary<PartsQuery> =>
  fc
    .record({
      text: fc.oneof(
        excerptArbitrary(steps),
        fc.array(pieceArbitrary(steps), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(' ')),
      ),
      match: fc.constantFrom('any' as const, 'all' as const),
      lastWordIsPrefix: fc.boolean(),
      substring: fc.boolean(),
      limit: fc.constantFrom(1, 3, 50),
      filters: fc.constantFrom<PartsQuery['filters'][]>(
        [],
        [],
        [{ key: 'tag', any: ['red', 'blue'] }],
        [{ key: 'tag', all: ['red', 'green'] }],
        [
          { key: 'tag', none: ['red'] },
          { key: 'space', any: ['one'] },
        ],
        [{ key: 'space', any: [] }],
      ),
    })
    .map(({ text, lastWordIsPrefix, ...rest }) => ({
      ...rest,
      parsed: parseQuery(text, { match: rest.match, lastWordIsPrefix }, stemOf),
      after: undefined,
    }));

const askedArbitrary = fc
  .array(documentsArbitrary(10), { minLength: 1, maxLength: 4 })
  .chain((steps) => fc.tuple(fc.constant(steps), queryArbitrary(steps)));

const keysOf = ({ docs }: ReturnType<typeof searchParts>) => docs.map(({ id, score }) => ({ id, score }));

test('hits, scores and total equal the definition exactly, whatever the segments', () => {
  fc.assert(
    fc.property(askedArbitrary, ([documents, query]) => {
      const { parts, living } = toParts(documents);
      const found = searchParts(collection, parts, query, buffersFor);
      const expected = searchPlainly(collection, living, query, stemOf);
      expect(keysOf(found)).toEqual(expected.hits);
      expect(found.total).toBe(expected.total);
    }),
    { numRuns: 2_000 },
  );
});

test('cached parts answer like the definition, also the second time, alone and with others', () => {
  const asked = fc
    .array(documentsArbitrary(10), { minLength: 2, maxLength: 4 })
    .chain((steps) => fc.tuple(fc.constant(steps), fc.array(queryArbitrary(steps), { minLength: 1, maxLength: 3 })));
  fc.assert(
    fc.property(asked, ([[others = [], ...documents], queries]) => {
      const { parts, living } = toParts(documents);
      const ids = new Set(living.map(({ id }) => id));
      const own = toParts([others.filter(({ id }) => !ids.has(id))]);
      const standing = parts.map((part) => ({
        ...part,
        cache: new PartCache(Array.from({ length: part.segment.docCount }, (_, doc) => idAt(part.segment, doc))),
      }));
      const all = [...own.parts, ...standing];
      for (const query of [...queries, ...queries]) {
        const alone = searchParts(collection, standing, query, buffersFor);
        expect(keysOf(alone)).toEqual(searchPlainly(collection, living, query, stemOf).hits);
        const together = searchParts(collection, all, query, buffersFor);
        expect(keysOf(together)).toEqual(searchPlainly(collection, [...own.living, ...living], query, stemOf).hits);
      }
    }),
    { numRuns: 500 },
  );
});

test('pages contain every hit once and in order', () => {
  fc.assert(
    fc.property(askedArbitrary, ([documents, query]) => {
      const { parts } = toParts(documents);
      const whole = searchParts(collection, parts, { ...query, limit: 1_000 }, buffersFor);
      const pages: ReturnType<typeof keysOf> = [];
      for (let after: PartsQuery['after']; ; ) {
        const page = searchParts(collection, parts, { ...query, after }, buffersFor);
        expect(page.total).toBe(whole.total);
        pages.push(...keysOf(page));
        if (!page.hasMore) break;
        after = pages.at(-1);
      }
      expect(pages).toEqual(keysOf(whole));
    }),
    { numRuns: 300 },
  );
});

test('leaves the buffers clean', () => {
  const { parts } = toParts([[{ id: 'a', fields: { title: 'hooks', body: 'hook create of services' } }]]);
  const ask = (text: string) =>
    searchParts(
      collection,
      parts,
      {
        parsed: parseQuery(text, { match: 'all', lastWordIsPrefix: false }, stemOf),
        match: 'all',
        filters: [],
        limit: 5,
        after: undefined,
        substring: true,
      },
      buffersFor,
    );
  for (const text of ['hook unknown', 'creat* "hook create"', 'ervi', 'hook services', 'a']) ask(text);
  const { scores, frequencies, counts, groups } = buffersFor(1);
  for (const array of [scores, frequencies, counts, groups]) expect(array.every((value) => value === 0)).toBe(true);
});

test('a common word ranks what a rarer word finds, and finds documents if all words are common', () => {
  const documents = Array.from({ length: 40 }, (_, i) => ({
    id: `d${String(i).padStart(2, '0')}`,
    fields: { title: i % 10 === 3 ? 'zebra' : 'horse', body: i === 13 ? 'animal animal animal' : 'animal' },
  }));
  const { parts } = toParts([documents.slice(0, 20), documents.slice(20), [{ id: 'none', fields: { body: 'zebra' } }]]);
  const find = (text: string, commonDocsMin?: number) => {
    const parsed = parseQuery(text, { match: 'any', lastWordIsPrefix: false }, stemOf);
    const query = { parsed, match: 'any', filters: [], limit: 50, after: undefined, substring: false } as const;
    const { docs, total } = searchParts(collection, parts, { ...query, commonDocsMin }, buffersFor);
    return { ids: docs.map(({ id }) => id), scores: docs.map(({ score }) => score), total };
  };
  const all = find('zebra animal');
  expect(all.total).toBe(41);
  const some = find('zebra animal', 10);
  expect(some).toEqual({ ids: all.ids.slice(0, 5), scores: all.scores.slice(0, 5), total: 5 });
  expect(some.ids[0]).toBe('d13');
  // Too few documents to be common, and no rarer word.
  expect(find('zebra animal', 40)).toEqual(all);
  expect(find('animal', 10).total).toBe(40);
  expect(find('animal unicorn', 10).total).toBe(40);
});
