import { expect, test } from 'vitest';
import { findDeclarationViolations, findLengthViolations, findPathViolations } from './file-shape.ts';
import { parse } from './parsed.ts';
import { isTypeScript, readTree } from './tree.ts';

const ours = () => ['src', 'tests', 'bench', 'scripts'].flatMap(readTree).filter(isTypeScript);

test('every file name is kebab-case and meaningful', () => {
  expect(findPathViolations(ours().map(({ path }) => path))).toEqual([]);
});

test('default exports and meaningless type names are forbidden', () => {
  expect(findDeclarationViolations(ours().map(parse))).toEqual([]);
});

test('no file of the program is too long', () => {
  expect(findLengthViolations(readTree('src').filter(isTypeScript))).toEqual([]);
});

test.for([
  'src/kernel/utils/a.ts',
  'src/kernel/json/helpers.ts',
  'src/domains/truth/types.ts',
  'src/app/common.test.ts',
  'src/app/misc.ts',
  'src/app/openStorage.ts',
  'src/app/open_storage.ts',
  'src/Kernel/a.ts',
  'src/app/a-.ts',
  'src/app/a.spec.ts',
])('rejects %s', (path) => {
  expect(findPathViolations([path])).toHaveLength(1);
});

test.for([
  'src/migrations/0001-kernel.ts',
  'src/kernel/workers/pool.worker.ts',
  'src/app/compose.test.ts',
  'vitest.config.ts',
  'src/domains/truth/rules/merge-array.ts',
])('accepts %s', (path) => {
  expect(findPathViolations([path])).toEqual([]);
});

test.for([
  ['has a default export', 'export default 1;'],
  ['has a default export', 'const a = 1; export { a as default };'],
  ['is called PadManager', 'export class PadManager {}'],
  ['is called StoreImpl', 'class StoreImpl {}'],
  ['is called IStore', 'export interface IStore {}'],
  ['is called PadUtils', 'type PadUtils = string;'],
])('rejects a file that %s: %s', ([violation, text]) => {
  expect(findDeclarationViolations([parse({ path: 'src/app/a.ts', text: text! })])).toEqual([
    expect.stringContaining(violation!),
  ]);
});

test('accepts a default export of a configuration, and similar type names', () => {
  const config = parse({ path: 'vitest.config.ts', text: 'export default {};' });
  const alike = parse({
    path: 'src/app/a.ts',
    text: 'export interface Ids {} export class IOFault {} type Implied = 1;',
  });
  expect(findDeclarationViolations([config, alike])).toEqual([]);
});

test('rejects a file of more than 350 lines', () => {
  const file = (lines: number) => ({ path: 'src/app/a.ts', text: 'x\n'.repeat(lines) });
  expect(findLengthViolations([file(350)])).toEqual([]);
  expect(findLengthViolations([file(351)])).toEqual(['src/app/a.ts has 351 lines; the limit is 350']);
});
