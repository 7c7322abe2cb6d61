import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocAnswer, DocHit } from './doc-query.ts';
import { type HitPrint, printAnswer, printFacts } from './print-answer.ts';

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant(',"snippet":"","breadcrumb":'));
const score = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const ofBase: fc.Arbitrary<DocHit> = fc.record({
  id: text,
  title: text,
  version: text,
  category: text,
  source: fc.record({ path: text }),
  breadcrumb: text,
  score,
  snippet: text,
});

const answer: fc.Arbitrary<DocAnswer> = fc
  .record({
    query: text,
    version: fc.constantFrom('v4', 'v5', 'all'),
    results: fc.array(
      fc.oneof(
        ofBase,
        fc.tuple(ofBase, text).map(([hit, library]) => ({ library, ...hit })),
      ),
    ),
  })
  .chain((plain) =>
    fc.option(text, { nil: undefined }).map((hint) => (hint === undefined ? plain : { ...plain, hint })),
  );

function expectSameBytes(given: DocAnswer, prints: ReadonlyMap<string, HitPrint>): void {
  const printed = printAnswer(given, (id) => prints.get(id));
  expect(printed.text).toBe(JSON.stringify(given));
  expect(printed.twin).toBe(JSON.stringify(printed.text));
}

test('an answer is printed in the bytes of JSON.stringify, whatever was printed before', () => {
  fc.assert(
    fc.property(answer, score, text, (given, otherScore, otherSnippet) => {
      expectSameBytes(given, new Map());
      const known = given.results.filter((of, i) => of.library === undefined && i % 2 === 0);
      const results = given.results.filter(({ id }, i) => given.results.findIndex((of) => of.id === id) === i);
      const prints = new Map(
        known.filter((of) => results.includes(of)).map((of) => [of.id, printFacts(of, otherSnippet)]),
      );
      const asked = results.map((of) => ({ ...of, score: otherScore, snippet: otherSnippet }));
      expectSameBytes({ ...given, results: asked }, prints);
    }),
  );
});
