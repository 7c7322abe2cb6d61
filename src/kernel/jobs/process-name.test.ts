import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { hasEnded, nameProcess } from './process-name.ts';

const own = nameProcess('unique');
const named = (pid: number): string => own.replace(`/${process.pid}/`, `/${pid}/`);
const isLinux = process.platform === 'linux';

it('knows a process of this machine that has ended', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(hasEnded(named(pid))).toBe(isLinux);
});

it('takes a process for alive that runs, belongs to somebody else or is elsewhere', () => {
  for (const pid of [process.pid, 1]) expect(hasEnded(named(pid))).toBe(false);
  for (const name of ['unique', `elsewhere${own}`, named(0), named(-1)]) expect(hasEnded(name)).toBe(false);
});
