import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generate } from '#app/generate/generate.ts';
import { generatedFiles } from '#app/generate/outputs.ts';
import { root } from './tree.ts';

test('snapshots, reference and every other generated file are current', () => {
  expect(generate(root, true)).toEqual([]);
});

test('a file that is changed, gone or left over is found, and writing mends it', ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-generated-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(() => generate(folder, false)).toThrow('no checkout of fourfold');
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
