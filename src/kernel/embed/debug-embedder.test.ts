import { expect, test } from 'vitest';
import { createDebugEmbedder } from './embedder.ts';

const options = { signal: new AbortController().signal, purpose: 'document' } as const;

test('vectors of hashed words are stable, have length 1, and are similar for common words', async () => {
  const embedder = createDebugEmbedder();
  const [catMat, matCat, catDog, none] = await embedder.embed(['cat mat', 'Mat, cat!', 'cat dog', ''], options);
  const [again] = await embedder.embed(['cat mat'], options);
  const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  expect(again).toEqual(catMat);
  for (const vector of [catMat, matCat, catDog, none]) expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
  expect(cosine(catMat!, matCat!)).toBeCloseTo(1, 5);
  expect(cosine(catMat!, catDog!)).toBeGreaterThan(cosine(none!, catDog!));
  await expect(embedder.embed([], { ...options, signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
});
