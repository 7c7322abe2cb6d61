import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import { modelPackage, warnOfMissingModel } from './missing-model.ts';

test('warns of a missing model package, but not of an installed or disabled one', () => {
  const log = createLogFixture();
  const settings = { semanticSearch: true, embeddingModel: 'minilm' };
  const embedder = createDebugEmbedder();
  expect(warnOfMissingModel(embedder, settings, log)).toBe(embedder);
  expect(warnOfMissingModel(undefined, { ...settings, semanticSearch: false }, log)).toBeUndefined();
  expect(log.lines).toEqual([]);
  expect(warnOfMissingModel(undefined, settings, log)).toBeUndefined();
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { embeddingModel: 'minilm', package: modelPackage } }]);
});

test('names the package that can be installed', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  expect(Object.keys(optionalDependencies)).toContain(modelPackage);
});
