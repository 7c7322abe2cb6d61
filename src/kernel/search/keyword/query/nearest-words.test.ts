import { expect, test } from 'vitest';
import { defineCollection } from '../../collection.ts';
import { createStemmer } from '../../stemmer.ts';
import { buildSegment } from '../segment/build-segment.ts';
import { runAtOnce } from '../segment/run-in-slices.ts';
import { nearestWords } from './nearest-words.ts';
import { createPart, withDead } from './part.ts';
import { createSearchBuffers } from './search-buffers.ts';

const collection = defineCollection({ name: 'pages', fields: { body: 1 }, idWeight: 0 });
const stemOf = createStemmer();

function near(texts: readonly string[], asked: string, deadDocs: readonly number[] = []): readonly string[] {
  const documents = texts.map((body, i) => ({ id: `d${i}`, fields: { body } }));
  const part = withDead(
    createPart(collection, runAtOnce(buildSegment(collection.fields, documents, stemOf)), undefined),
    deadDocs,
  );
  return nearestWords([part], asked.split(' '), stemOf, 3, createSearchBuffers());
}

test('orders suggestions by distance, then by frequency', () => {
  expect(near(['service', 'services', 'surface', 'serving'], 'servise')).toEqual(['service', 'services', 'serving']);
  expect(near(['cart', 'card', 'card'], 'carx')).toEqual(['card', 'cart']);
});

test('recognises swapped first letters', () => {
  expect(near(['hooks'], 'ohoks')).toEqual(['hooks']);
});

test('suggests nothing for known, short or unlike words', () => {
  expect(near(['hook'], 'hooks')).toEqual([]);
  expect(near(['ab'], 'ac')).toEqual([]);
  expect(near(['hook'], 'database')).toEqual([]);
});

test('does not suggest a word that only a removed document had', () => {
  expect(near(['secret', 'other'], 'sekret')).toEqual(['secret']);
  expect(near(['secret', 'other'], 'sekret', [0])).toEqual([]);
});
