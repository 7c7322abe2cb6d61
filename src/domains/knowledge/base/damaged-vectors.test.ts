import { expect, it } from 'vitest';
import { type BaseSection, toBaseSection } from './base-sections.ts';
import { createBaseVectors } from './base-vectors.ts';
import { hashText, textToEmbed, type VectorsFile } from './vectors-file.ts';

const sectionOf = (id: string): BaseSection =>
  toBaseSection('docs', {
    ...{ id, title: id, version: 'v5', category: 'hooks', content: `Text of ${id}.` },
    ...{ breadcrumb: [id], tags: [], source: { path: 'x.json' } },
  });
const sections = new Map(['a', 'b', 'c'].map((id) => [id, sectionOf(id)]));

const fileOf = (numbers: Readonly<Record<string, readonly number[]>>, dimension = 2): VectorsFile => ({
  model: 'm',
  dimension,
  entries: Object.fromEntries(
    Object.entries(numbers).map(([id, vector]) => [
      id,
      [hashText(textToEmbed(sections.get(id)!)), Buffer.from(Int8Array.from(vector).buffer).toString('base64')],
    ]),
  ),
});

const near = (...files: readonly VectorsFile[]) =>
  createBaseVectors(files, sections)
    ?.searchWithin([])?.({ vector: Float32Array.of(1, 0), limit: 9, similarityMin: -1 })
    .map(({ id }) => id);

it('ignores vectors of the wrong length and zero vectors', () => {
  expect(near(fileOf({ a: [3, 4], b: [1], c: [0, 0] }))).toEqual(['a']);
  expect(near(fileOf({ a: [3, 4], b: [1, 0, 0] }))).toEqual(['a']);
  expect(near(fileOf({ c: [0, 0] }))).toBeUndefined();
});

it('ignores a file of the same model with another dimension', () => {
  expect(near(fileOf({ a: [3, 4] }), fileOf({ b: [1] }, 1))).toEqual(['a']);
});

it('sorts equally similar entries by id', () => {
  expect(near(fileOf({ c: [3, 4], a: [3, 4], b: [1, 0] }))).toEqual(['b', 'a', 'c']);
});

it('finds nothing for a query vector of another dimension', () => {
  const ask = createBaseVectors([fileOf({ a: [3, 4] })], sections)?.searchWithin([]);
  expect(ask?.({ vector: Float32Array.of(1, 0, 0), limit: 9, similarityMin: -1 })).toEqual([]);
});
