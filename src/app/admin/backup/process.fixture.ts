/**
 * Run as a process of its own: `backup|restore <home> <folder> <step>` stands still at the given step of its progress, says
 * so, and waits to be killed; without such a step it says that it is done. `write <home>` writes until it is killed.
 */
import { writeSync } from 'node:fs';
import { openPlantedHome } from '../home.fixture.ts';
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
  const planted = openPlantedHome({ home });
  for (let i = 1; ; i += 1) {
    await planted.put(`foreign ${i}`, 'x'.repeat(2_000));
    writeSync(2, `wrote ${i}\n`);
  }
}
if (command === 'backup') {
  const { storage, ...planted } = openPlantedHome({ home });
  await backup({ ...planted, storage, to: folder, withKeys: true, progress });
  await storage.close();
} else {
  const { migrations } = await import('#migrations/all.ts');
  const { systemClock: clock } = await import('#kernel/clock/clock.ts');
  await restore({ from: folder, home, keyFile: `${home}/key`, force: true, migrations, clock, progress });
}
writeSync(2, 'done\n');
