import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chooseWorkspace } from './workspace.ts';

function makeProject() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fourfold-workspace-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of ['web/src/deep', 'home', 'data']) mkdirSync(join(folder, path), { recursive: true });
  return { folder, rest: { configured: undefined, userHome: join(folder, 'home'), dataFolder: join(folder, 'data') } };
}

test('[CX13] the workspace is the repository around the working directory', async () => {
  const { folder, rest } = makeProject();
  mkdirSync(join(folder, 'web/.git'));
  const inside = await chooseWorkspace({ ...rest, surface: 'stdio', cwd: join(folder, 'web/src/deep') });
  expect(inside).toMatch(/^web-[0-9a-f]{6}$/);
  expect(await chooseWorkspace({ ...rest, surface: 'cli', cwd: join(folder, 'web') })).toBe(inside);
});

test('[CX13] without a repository it is the working directory', async () => {
  const { folder, rest } = makeProject();
  expect(await chooseWorkspace({ ...rest, surface: 'stdio', cwd: join(folder, 'web/src') })).toMatch(/^src-/);
});

test('[CX13] a server, and a program in the home folder, has none', async () => {
  const { folder, rest } = makeProject();
  expect(await chooseWorkspace({ ...rest, surface: 'http', cwd: join(folder, 'web') })).toBeUndefined();
  expect(await chooseWorkspace({ ...rest, surface: 'stdio', cwd: join(folder, 'home') })).toBeUndefined();
});

test('[CX13] the folder of the client comes before the working directory', async () => {
  const { folder, rest } = makeProject();
  mkdirSync(join(folder, 'web/.git'));
  const own = { ...rest, surface: 'stdio' as const, cwd: join(folder, 'home') };
  const at = (root: string | undefined) => chooseWorkspace(own, { root: async () => root });
  expect(await at(join(folder, 'web/src/deep'))).toBe(await at(join(folder, 'web')));
  expect(await at(join(folder, 'web'))).toMatch(/^web-/);
  for (const none of [undefined, folder, '/']) expect(await at(none)).toBeUndefined();
});

test('[CX13] a server takes the name of the folder of its client and does not look at its own disk', async () => {
  const { folder, rest } = makeProject();
  mkdirSync(join(folder, 'web/.git'));
  const own = { ...rest, surface: 'http' as const, cwd: folder };
  const at = (root: string) => chooseWorkspace(own, { root: async () => root });
  expect(await at(join(folder, 'web/src'))).toMatch(/^src-/);
  expect(await at('/')).toBeUndefined();
});
