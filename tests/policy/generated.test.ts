import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateBaseVectors } from '#app/generate/base-vectors.ts';
import { generate, generatedFiles } from '#app/generate/generate.ts';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import { root } from './tree.ts';

test('all generated files are up to date', () => {
  expect(generate(root, true)).toEqual([]);
});

test('finds generated files that are changed, missing or left over, and repairs them', ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-generated-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(() => generate(folder, false)).toThrow('not a checkout of fourfold');
  writeFileSync(join(folder, 'package.json'), '{"name":"fourfold"}');
  const files = generatedFiles();
  const paths = [...files.keys()];
  const snapshot = paths.find((path) => path.startsWith('tests/snapshots/tools/'))!;

  expect(generate(folder, true)).toEqual(paths.toSorted());
  generate(folder, false);
  expect(generate(folder, true)).toEqual([]);

  writeFileSync(join(folder, snapshot), '{}\n');
  rmSync(join(folder, 'docs/reference/faults.md'));
  writeFileSync(join(folder, 'tests/snapshots/tools/gone.json'), '{}\n');
  const damaged = ['docs/reference/faults.md', snapshot, 'tests/snapshots/tools/gone.json'].sort();
  expect(generate(folder, true)).toEqual(damaged);
  expect(generate(folder, false)).toEqual(damaged);
  expect(generate(folder, true)).toEqual([]);
});

const vectorsPath = 'knowledge-base/vectors.json';
const openNone = async () => undefined;
const openNever = () => Promise.reject(new Error('a check embeds nothing'));

test('every entry of the knowledge base has the vector of its text; `npm run generate` creates it', async () => {
  expect(await generateBaseVectors(root, true, { log: createLogFixture(), openModel: openNever })).toEqual([]);
});

test('finds changed, new and deleted entries without embedding, and repairs them', async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-generated-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'knowledge-base/docs'), { recursive: true });
  const log = createLogFixture();
  const write = (entries: Readonly<Record<string, string>>) =>
    writeFileSync(
      join(folder, 'knowledge-base/docs/x.json'),
      JSON.stringify(
        Object.entries(entries).map(([id, content]) => ({ id, title: id, version: 'v5', category: 'hooks', content })),
      ),
    );
  const check = () => generateBaseVectors(folder, true, { log, openModel: openNever });
  const mend = () => generateBaseVectors(folder, false, { log, openModel: async () => createDebugEmbedder() });
  const readVectors = () => readFileSync(join(folder, vectorsPath), 'utf8');

  for (const entries of [
    { a: 'cat', b: 'dog' },
    { a: 'cat', b: 'changed' },
    { a: 'cat', b: 'changed', c: 'new' },
    { a: 'cat' },
  ]) {
    write(entries);
    expect(await check()).toEqual([vectorsPath]);
    expect(await mend()).toEqual([vectorsPath]);
    expect(await check()).toEqual([]);
    expect(await mend()).toEqual([]);
  }

  write({ a: 'changed' });
  const before = readVectors();
  expect(log.lines).toEqual([]);
  expect(await generateBaseVectors(folder, false, { log, openModel: openNone })).toEqual([]);
  expect(readVectors()).toBe(before);
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { path: vectorsPath, missing: 1 } }]);
});
