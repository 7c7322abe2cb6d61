import { expect, test } from 'vitest';
import { findMachinePaths } from './machine-paths.ts';
import { readTree } from './tree.ts';

/** This policy and its test contain the texts that they look for. */
const isOfPolicy = (path: string): boolean => path.startsWith('tests/policy/machine-paths');

test('the project contains no path of a machine, no registry and no credential', () => {
  const files = readTree('').filter(({ path }) => !isOfPolicy(path));
  expect(files.length).toBeGreaterThan(100);
  expect(findMachinePaths(files)).toEqual([]);
});

test.for([
  ['docs/tutorial.md', 'Go to /work/main and type'],
  ['src/app/a.ts', `const home = '/root/.local';`],
  ['docs/how-to.md', 'cat /tmp/log'],
  ['README.md', 'See file:///home/x'],
  ['package-lock.json', '      "resolved": "https://example.test/zod.tgz",'],
  ['.npmrc', 'registry=https://registry.npmjs.org/'],
  ['.npmrc', '//example.test/:_authToken=abc'],
  ['tests/a.test.ts', `const key = '-----BEGIN PRIVATE KEY-----';`],
])('in %s, rejects %s', ([path, text]) => {
  expect(findMachinePaths([{ path: path!, text: `first line\n${text}\n` }])).toEqual([
    expect.stringContaining(`${path}:2 contains `),
  ]);
});

test.for([
  ['package-lock.json', '      "resolved": "runtime",'],
  ['docs/a.md', 'The folder network/ and https://example.test/work/item'],
  ['tests/a.test.ts', `join(tmpdir(), 'x')`],
])('in %s, accepts %s', ([path, text]) => {
  expect(findMachinePaths([{ path: path!, text: text! }])).toEqual([]);
});
