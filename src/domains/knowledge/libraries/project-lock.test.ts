import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createProjectLock } from './project-lock.ts';

function project(files: Readonly<Record<string, string>>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ff-lock-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const clock = createManualClock();
  return { folder, write, clock, lock: createProjectLock({ folder, forbidden: [], clock }) };
}

const npmLock = (version: string): string =>
  JSON.stringify({
    packages: {
      '': { version: '0.0.1' },
      'node_modules/zod': { version },
      'node_modules/@scope/name': { version: '2.0.0' },
      'node_modules/other/node_modules/zod': { version: '1.0.0' },
      'node_modules/linked': { link: true },
    },
  });

test('reads package-lock.json, and reads it again after it changed', async () => {
  const { lock, write } = project({ 'package-lock.json': npmLock('3.23.8') });
  expect(await lock.versionOf('zod')).toBe('3.23.8');
  expect(await lock.versionOf('@scope/name')).toBe('2.0.0');
  expect(await lock.versionOf('linked')).toBeUndefined();
  expect(await lock.versionOf('absent')).toBeUndefined();
  write('package-lock.json', npmLock('4.10.11'));
  expect(await lock.versionOf('zod')).toBe('4.10.11');
});

test('reads pnpm-lock.yaml without the peers in its versions', async () => {
  const { lock } = project({
    'pnpm-lock.yaml': [
      "lockfileVersion: '9.0'",
      'importers:',
      '  .:',
      '    dependencies:',
      '      zod: { specifier: ^3, version: 3.23.8 }',
      "      '@scope/name': { specifier: ^2, version: 2.0.0(react@19.0.0) }",
      '    devDependencies:',
      '      vitest: { specifier: ^4, version: 4.0.0 }',
    ].join('\n'),
  });
  expect(await Promise.all(['zod', '@scope/name', 'vitest'].map((name) => lock.versionOf(name)))).toEqual([
    '3.23.8',
    '2.0.0',
    '4.0.0',
  ]);
});

test.each([
  [
    '1',
    '# yarn lockfile v1\n\n"@scope/name@^2.0.0":\n  version "2.0.1"\n\nzod@^3.0.0, zod@^3.20.0:\n  version "3.23.8"\n',
  ],
  [
    '4',
    '__metadata:\n  version: 8\n\n"@scope/name@npm:^2.0.0":\n  version: 2.0.1\n\n"zod@npm:^3.0.0":\n  version: 3.23.8\n',
  ],
])('reads yarn.lock of Yarn %s', async (_yarn, text) => {
  const { lock } = project({ 'yarn.lock': text });
  expect([await lock.versionOf('zod'), await lock.versionOf('@scope/name')]).toEqual(['3.23.8', '2.0.1']);
});

test('reads the packages that the project imports, and again after a moment', async () => {
  const manifest = (name: string) =>
    JSON.stringify({ dependencies: { [name]: '^3' }, devDependencies: { vitest: '^5' } });
  const { lock, write, clock } = project({ 'package.json': manifest('zod'), 'package-lock.json': npmLock('3.23.8') });
  const has = (...names: string[]) => {
    const known = lock.dependencies();
    if (known instanceof Promise) throw new Error('they were not read a moment ago');
    return names.map((name) => known.has(name));
  };
  await lock.dependencies();
  expect(has('zod', 'vitest', '@scope/name', 'valibot')).toEqual([true, true, false, false]);
  write('package.json', manifest('valibot'));
  expect(has('zod', 'valibot')).toEqual([true, false]);
  clock.advance(60_000);
  expect(await lock.dependencies()).toBeDefined();
  expect(has('zod', 'valibot')).toEqual([false, true]);
});

test.each([
  ['no file', {}],
  ['no object', { 'package.json': '[]' }],
  ['no JSON', { 'package.json': '{' }],
  ['no names', { 'package.json': '{"dependencies": ["zod"], "devDependencies": null}' }],
])('knows no packages with %s', async (_what, files) => {
  const known = await project(files).lock.dependencies();
  expect(known.has('zod')).toBe(false);
});

test('answers undefined for a damaged file and without a folder', async () => {
  const { lock } = project({ 'package-lock.json': '{"packages":', 'pnpm-lock.yaml': 'a: [', 'yarn.lock': '\0\0' });
  expect(await lock.versionOf('zod')).toBeUndefined();
  expect(
    await createProjectLock({ folder: undefined, forbidden: [], clock: createManualClock() }).versionOf('zod'),
  ).toBeUndefined();
});

test('does not follow a link out of the project', async () => {
  const other = project({ 'package-lock.json': npmLock('3.23.8') });
  const { lock, folder } = project({});
  symlinkSync(join(other.folder, 'package-lock.json'), join(folder, 'package-lock.json'));
  expect(await lock.versionOf('zod')).toBeUndefined();
});
