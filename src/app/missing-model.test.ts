import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { createKeptLog } from '#kernel/log/log.ts';
import { modelPackage, warnOfMissingModel } from './missing-model.ts';

test('a model whose package is missing is told of; one that is there or switched off is not', () => {
  const log = createKeptLog();
  const settings = { semanticSearch: true, embeddingModel: 'minilm' };
  const embedder = createDebugEmbedder();
  expect(warnOfMissingModel(embedder, settings, log)).toBe(embedder);
  expect(warnOfMissingModel(undefined, { ...settings, semanticSearch: false }, log)).toBeUndefined();
  expect(log.lines).toEqual([]);
  expect(warnOfMissingModel(undefined, settings, log)).toBeUndefined();
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { embeddingModel: 'minilm', package: modelPackage } }]);
});

test('the package that is named is the one that can be installed', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  expect(Object.keys(optionalDependencies)).toContain(modelPackage);
});
