import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { nodeFlags } from '#tests/support/postgres/node-flags.ts';

/** Low enough to be used up quickly, and enough for the process itself. */
const filesMax = 100;

async function readWithoutDescriptors(...args: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ff-crowded-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = fileURLToPath(new URL('./children/descriptor-limit-reader.ts', import.meta.url));
  const limited = ['-c', `ulimit -n ${filesMax}; exec "$@"`, 'sh', process.execPath, ...nodeFlags, script];
  const child = spawn('sh', [...limited, folder, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return (await text(child.stdout)).trim().split('\n');
}

test('retries a file that could not be opened for a moment, and reports nothing meanwhile', async () => {
  expect(await readWithoutDescriptors('3', 'free')).toEqual([
    'served one',
    'no problem',
    'served three',
    'no problem',
    'again',
  ]);
});

test.each(['0', '2'])(
  'reports a file after %s failed retries, keeps the served entry, and tries again at the next read',
  async (retries) => {
    const lines = await readWithoutDescriptors(retries);
    expect(lines).toEqual([
      'served one',
      'no problem',
      'cannot be opened (EMFILE)',
      'again',
      'served three',
      'no problem',
    ]);
  },
);
