import { expect, test } from 'vitest';
import { type Collection, defineCollection } from './collection.ts';
import { judgedDocuments, judgedQueries } from './judged-queries.fixture.ts';
import { parseQuery } from './keyword/query/parse-query.ts';
import { createPart } from './keyword/query/part.ts';
import { createSearchBuffers } from './keyword/query/search-buffers.ts';
import { searchParts } from './keyword/query/search-parts.ts';
import { buildSegment } from './keyword/segment/build-segment.ts';
import { runAtOnce } from './keyword/segment/run-in-slices.ts';
import { createStemmer, type StemOf } from './stemmer.ts';

const library = defineCollection({ name: 'library', fields: { title: 2, body: 1 }, title: 'title' });

function rank(collection: Collection, stemOf: StemOf, query: string): readonly string[] {
  const segment = runAtOnce(buildSegment(collection.fields, judgedDocuments, stemOf));
  const parsed = parseQuery(query, { match: 'any', lastWordIsPrefix: false }, stemOf);
  const asked = { parsed, match: 'any', filters: [], limit: 10, after: undefined, substring: true } as const;
  return searchParts(collection, [createPart(collection, segment, undefined)], asked, createSearchBuffers()).docs.map(
    ({ id }) => id,
  );
}

/** Normalised discounted cumulative gain of the first ten. */
function gainOf(found: readonly string[], wanted: Readonly<Record<string, number>>): number {
  const sum = (grades: readonly number[]) =>
    grades.slice(0, 10).reduce((all, grade, i) => all + (2 ** grade - 1) / Math.log2(i + 2), 0);
  const best = sum(Object.values(wanted).toSorted((a, b) => b - a));
  return sum(found.map((id) => wanted[id] ?? 0)) / best;
}

function meanGain(collection: Collection, stemOf: StemOf): number {
  const gains = judgedQueries.map(({ query, wanted }) => gainOf(rank(collection, stemOf, query), wanted));
  return gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
}

/** The measured quality of the ranking; a change that lowers it needs a reason. */
const reached = 0.98;

test('answers the judged queries as well as before', () => {
  expect(meanGain(library, createStemmer())).toBeGreaterThanOrEqual(reached);
});

test('negative control: notices a ranking without stems or with a low title weight', () => {
  expect(meanGain(library, (word) => word)).toBeLessThan(reached);
  const flat = defineCollection({ name: 'library', fields: { title: 0.01, body: 1 }, idWeight: 0 });
  expect(meanGain(flat, createStemmer())).toBeLessThan(reached);
});

test.each(
  judgedQueries.map(({ query, wanted }) => [query, Object.keys(wanted).filter((id) => wanted[id] === 3)] as const),
)('an answer to %s is among the first two', (query, answers) => {
  const first = rank(library, createStemmer(), query).slice(0, 2);
  expect(answers.some((id) => first.includes(id))).toBe(true);
});
