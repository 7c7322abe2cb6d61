import { expect, it } from 'vitest';
import { chooseClear, isQuestion } from './choose-clear.ts';

interface Hit {
  readonly id: string;
  readonly score: number;
  readonly relevance: number;
  readonly isByWords?: true;
}

const isByWords = (hit: Hit): boolean => hit.isByWords === true;
const idsOf = (hits: readonly Hit[]): readonly string[] => hits.map(({ id }) => id);
const choose = (hits: readonly Hit[], task = 'fix the lock') =>
  idsOf(chooseClear(hits, { isByWords, isAnswer: isQuestion(task) }));

const best: Hit = { id: 'best', score: 2.5, relevance: 0.75 };

it('ends where the score falls behind, however relevant the rest is', () => {
  const near = { id: 'near', score: 2.2, relevance: 0.72 };
  const far = { id: 'far', score: 1.2, relevance: 0.75 };
  expect(choose([best, near, far])).toEqual(['best', 'near']);
});

it('leaves out what is not relevant enough to follow the best one', () => {
  expect(choose([best, { id: 'vague', score: 2.4, relevance: 0.5 }])).toEqual(['best']);
});

it('shows nothing if even the best one is hardly relevant', () => {
  expect(choose([{ id: 'vague', score: 2.5, relevance: 0.34 }])).toEqual([]);
});

it('shows more to a question', () => {
  const hits = [best, { id: 'vague', score: 2.2, relevance: 0.45 }, { id: 'far', score: 1.2, relevance: 0.45 }];
  expect(choose(hits, 'who has the key of the lock?')).toEqual(['best', 'vague', 'far']);
  expect(choose(hits, 'which lock? Fix it')).toEqual(['best']);
});

it.each(['why?', 'なぜ？', '"why?"', 'لماذا؟ ', 'what did I note about the cache bug', 'Wann zahlt Globex'])(
  '%s is a question',
  (task) => expect(isQuestion(task)).toBe(true),
);

it.each(['fix the lock', 'whatever it takes, fix the lock', 'which lock? Fix it', 'wasche die Räder'])(
  '%s is a task',
  (task) => expect(isQuestion(task)).toBe(false),
);

it('does not expect of a model without a scale that its relevances are high', () => {
  const hits = [
    { id: 'best', score: 2, relevance: 0.5 },
    { id: 'alike', score: 1.9, relevance: 0.48 },
    { id: 'vague', score: 1.9, relevance: 0.44 },
  ];
  expect(choose(hits)).toEqual(['best', 'alike']);
});

it('judges what words have found by its share of the words', () => {
  const byWords = (id: string, score: number, relevance: number): Hit => ({ id, score, relevance, isByWords: true });
  const hits = [byWords('best', 2, 0.3), byWords('near', 1.8, 0.2), byWords('far', 1, 0.2), byWords('rest', 1.8, 0.1)];
  expect(choose(hits)).toEqual(['best', 'near']);
});

it('leaves out what is hardly similar if the best one was found by words', () => {
  const words: Hit = { id: 'words', score: 2, relevance: 1, isByWords: true };
  const vague = { id: 'vague', score: 1.6, relevance: 0.44 };
  expect(choose([words, vague, { id: 'alike', score: 1.5, relevance: 0.65 }])).toEqual(['words', 'alike']);
});

it('compares with some of the hits, if these are given', () => {
  const pad = { id: 'pad', score: 3, relevance: 0.9 };
  const cells = [
    { id: 'a', score: 1, relevance: 0.7 },
    { id: 'b', score: 0.9, relevance: 0.65 },
  ];
  expect(idsOf(chooseClear([pad, ...cells], { isByWords, compared: cells }))).toEqual(['pad', 'a', 'b']);
  expect(idsOf(chooseClear([pad, ...cells], { isByWords }))).toEqual(['pad']);
});
