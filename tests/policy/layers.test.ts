import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { findLayerViolations, findNeedlessSharing, kernelLayers, toAliases } from './layers.ts';
import { parse } from './parsed.ts';
import { readProgram } from './tree.ts';

const aliases = toAliases(manifest.imports);
const violationsOf = (path: string, text: string) => findLayerViolations([parse({ path, text })], aliases);

test('every file imports only what its layer may', () => {
  expect(findLayerViolations(readProgram().map(parse), aliases)).toEqual([]);
});

test('every kernel module has one layer', () => {
  const modules = kernelLayers.flat();
  expect(new Set(modules).size).toBe(modules.length);
});

test('modules share a layer only if they need each other', () => {
  expect(findNeedlessSharing(readProgram().map(parse))).toEqual([]);
});

test('finds modules that share a layer without need', () => {
  const files = [parse({ path: 'src/kernel/storage/a.ts', text: `import { x } from '../audit/append.ts';` })];
  expect(findNeedlessSharing(files, [['hash'], ['storage', 'audit']])).toEqual([
    'audit does not need storage in its layer',
  ]);
});

test.for([
  ['a kernel module that imports a higher one', 'src/kernel/json/a.ts', `import { x } from '../tool/tool.ts';`],
  ['a type import', 'src/kernel/fault/a.ts', `import type { Call } from '../call.ts';`],
  ['a type that is imported in place', 'src/kernel/fault/a.ts', `type C = import('../call.ts').Call;`],
  ['a re-export', 'src/kernel/json/a.ts', `export { x } from '../storage/port.ts';`],
  ['a re-export of everything', 'src/kernel/json/a.ts', `export * from '../storage/port.ts';`],
  ['a dynamic import', 'src/kernel/json/a.ts', `const load = () => import('#domains/truth/truth.ts');`],
  ['a worker of another layer', 'src/kernel/json/a.ts', `const u = new URL('../tool/a.worker.ts', import.meta.url);`],
  ['a kernel module without a layer', 'src/kernel/extra/a.ts', `export const a = 1;`],
  ['the kernel that imports the config', 'src/kernel/tool/a.ts', `import { x } from '#config/setting.ts';`],
  ['a domain that imports another', 'src/domains/truth/a.ts', `import { x } from '#domains/notebooks/model.ts';`],
  ['a domain that reaches another by path', 'src/domains/truth/a.ts', `import { x } from '../notebooks/model.ts';`],
  ['a domain that imports the app', 'src/domains/truth/a.ts', `import { x } from '#app/compose.ts';`],
  ['a surface that imports another', 'src/surfaces/http/a.ts', `import { x } from '#surfaces/mcp/listing.ts';`],
  ['a surface that imports a domain', 'src/surfaces/mcp/a.ts', `import { x } from '#domains/system/system.ts';`],
  ['the config that imports more than faults', 'src/config/a.ts', `import { limits } from '#kernel/limits.ts';`],
  ['a migration that imports a domain', 'src/migrations/0009-a.ts', `import { x } from '#domains/truth/store.ts';`],
  ['the app that imports a surface', 'src/app/a.ts', `import { x } from '#surfaces/cli/cli.ts';`],
  ['main that imports the kernel', 'src/main.ts', `import { x } from '#kernel/tool/tool.ts';`],
  ['the program that imports a test', 'src/app/a.ts', `import { x } from '#tests/support/x.ts';`],
  ['the program that imports a test by path', 'src/app/a.ts', `import { x } from '../../tests/support/x.ts';`],
  ['the program that imports a fixture', 'src/kernel/workers/a.ts', `import './tasks.fixture.ts';`],
  ['a file outside every layer', 'src/extra/a.ts', `export const a = 1;`],
  ['a relative path into another layer', 'src/app/a.ts', `import { x } from '../kernel/fault/fault.ts';`],
  ['an alias that leads nowhere', 'src/app/a.ts', `import { x } from '#attic/a.ts';`],
  ['an import that is computed', 'src/app/a.ts', `const load = (name: string) => import(name);`],
  ['a require', 'src/app/a.ts', `const x = require('../surfaces/cli/cli.ts');`],
  ['a require that is made', 'src/app/a.ts', `const load = createRequire(import.meta.url);`],
] as const)('rejects %s', ([, path, text]) => {
  expect(violationsOf(path, text)).toHaveLength(1);
});

test.for([
  [
    'src/kernel/storage/a.ts',
    `import { appendAudit } from '../audit/append.ts'; import type { Call } from '../call.ts';`,
  ],
  ['src/domains/truth/rules/a.ts', `import { x } from '../model.ts'; import { y } from '#kernel/tool/tool.ts';`],
  [
    'src/app/a.ts',
    `const load = () => import('#domains/truth/truth.ts'); import m from '../../package.json' with { type: 'json' };`,
  ],
  ['src/entry/a.ts', `new URL(import.meta.url.endsWith('.ts') ? '../../bin/a.js' : '../bin/a.js', import.meta.url);`],
  ['src/main.ts', `import { z } from 'zod'; import { x } from './entry/run-main.ts'; import 'node:fs';`],
  ['src/app/a.ts', `// import { x } from '#surfaces/cli/cli.ts';\nexport const a = "import '#surfaces/x.ts'";`],
])('accepts allowed imports in %s', ([path, text]) => {
  expect(violationsOf(path!, text!)).toEqual([]);
});
