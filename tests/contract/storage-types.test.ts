import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const options = [
  ...['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'],
  ...['--allowImportingTsExtensions', '--target', 'es2024', '--module', 'nodenext', '--types', 'node'],
];

const compile = (file: string) => promisify(execFile)(process.execPath, [compiler, ...options, file], { cwd: root });

test('code that the port forbids does not compile', async () => {
  const file = fileURLToPath(new URL('./storage-types.ts', import.meta.url));
  expect(await compile(file)).toEqual({ stdout: '', stderr: '' });
});

test('negative control: reports a line that is marked as forbidden and compiles', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ff-types-'));
  const file = join(folder, 'legal.mts');
  await writeFile(
    file,
    `import type { Storage } from '${join(root, 'src/kernel/storage/port.ts')}';
     declare const storage: Storage;
     // @ts-expect-error closing is allowed
     void storage.close();`,
  );
  await expect(compile(file)).rejects.toMatchObject({ stdout: expect.stringContaining('TS2578') });
  await rm(folder, { recursive: true });
});
