import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { configFileLimits, createConfigFiles } from './config-files.ts';

const call = systemCall('test');

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'ff-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, read: createConfigFiles((name) => join(folder, name)) };
}

test('reads the text of a file', async () => {
  const { folder, read } = openFolder();
  writeFileSync(join(folder, 'gates.json'), '{"gates":[]} é');
  expect(await read('gates.json', call)).toBe('{"gates":[]} é');
});

test('removes a byte order mark', async () => {
  const { folder, read } = openFolder();
  writeFileSync(join(folder, 'gates.json'), '\ufeff{}');
  expect(await read('gates.json', call)).toBe('{}');
});

test('returns undefined for a missing file or path', async () => {
  const { folder, read } = openFolder();
  expect(await read('gates.json', call)).toBeUndefined();
  writeFileSync(join(folder, 'snapshots'), 'a file where a folder is looked for');
  expect(await read('snapshots/canonical-instructions.json', call)).toBeUndefined();
  expect(await createConfigFiles(() => undefined)('gates.json', call)).toBeUndefined();
});

test('rejects a folder, a FIFO, invalid UTF-8 and a huge file by name, without the path', async () => {
  const { folder, read } = openFolder();
  mkdirSync(join(folder, 'folder'));
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  writeFileSync(join(folder, 'latin'), Buffer.from([0x7b, 0xe9, 0x7d]));
  writeFileSync(join(folder, 'giant'), '');
  truncateSync(join(folder, 'giant'), configFileLimits.configFileBytes + 1);
  symlinkSync('loop', join(folder, 'loop'));
  for (const [name, why] of [
    ['folder', 'is not a regular file'],
    ['fifo', 'is not a regular file'],
    ['latin', 'is not UTF-8'],
    ['giant', 'bytes'],
    ['loop', 'cannot be opened'],
  ] as const) {
    const refused = await read(name, call).then(String, (error: unknown) => error);
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', details: { file: name } });
    expect(String(refused)).toContain(why);
    expect(String(refused)).not.toContain(folder);
  }
});

test.runIf(process.platform === 'linux')('rejects a file that opens but cannot be read', async () => {
  const { folder, read } = openFolder();
  symlinkSync('/proc/self/mem', join(folder, 'snapshot'));
  await expect(read('snapshot', call)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('snapshot cannot be read'),
  });
});
