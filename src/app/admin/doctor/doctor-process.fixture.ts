/** Runs as a separate process and another user with the argument `<home>`; prints the checks as JSON. */
import { writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock/clock.ts';
import { migrations } from '#migrations/all.ts';
import { runDoctor } from './run-doctor.ts';

const home = process.argv[2] ?? '';
const checks = await runDoctor({
  nodeVersion: process.versions.node,
  platform: process.platform,
  home,
  tempDir: tmpdir(),
  keyFile: join(home, 'key'),
  isStoreLocal: true,
  openStorage: () => Promise.reject(new Error('not wanted here')),
  migrations,
  clock: systemClock,
  config: { warnings: [], noEffect: [] },
  http: { host: '127.0.0.1', port: 0 },
  instructions: { dir: join(home, 'instructions'), isSet: true, cwd: home },
});
writeSync(2, JSON.stringify(checks));
