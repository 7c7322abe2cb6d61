/**
 * Runs as a separate process. `backup|restore <home> <folder> <step>` stops at the given step of its progress, prints
 * that step and waits to be killed; without a step it runs to the end and prints "done". `write <home>` writes until it
 * is killed.
 */
import { writeSync } from 'node:fs';
import { openHomeFixture } from '../home.fixture.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';

const [, , command, home = '', folder = '', step = ''] = process.argv;
let count = 0;

function progress(_done: number, _total: number | undefined, message: string): void {
  count += 1;
  if (count !== Number(step)) return;
  writeSync(2, `at ${message}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

if (command === 'write') {
  const fixture = openHomeFixture({ home });
  for (let i = 1; ; i += 1) {
    await fixture.put(`foreign ${i}`, 'x'.repeat(2_000));
    writeSync(2, `wrote ${i}\n`);
  }
}
if (command === 'backup') {
  const { storage, ...fixture } = openHomeFixture({ home });
  await backup({ ...fixture, storage, to: folder, withKeys: true, progress });
  await storage.close();
} else {
  const { migrations } = await import('#migrations/all.ts');
  const { systemClock: clock } = await import('#kernel/clock/clock.ts');
  await restore({ from: folder, home, keyFile: `${home}/key`, force: true, migrations, clock, progress });
}
writeSync(2, 'done\n');
