import { join } from 'node:path';
import { createManualClock } from '#kernel/clock/clock.ts';
import { migrations } from '#migrations/all.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { type DoctorDeps, runDoctor } from './run-doctor.ts';

export const runTestDoctor = (home: string, more: Partial<DoctorDeps> = {}): Promise<readonly DoctorCheck[]> =>
  runDoctor({
    nodeVersion: '24.1.0',
    platform: 'linux',
    home,
    tempDir: '/somewhere/else',
    keyFile: join(home, 'key'),
    isStoreLocal: true,
    openStorage: () => Promise.reject(new Error('must not be opened')),
    migrations,
    clock: createManualClock(),
    config: { warnings: [], noEffect: [] },
    http: { host: '127.0.0.1', port: 0 },
    instructions: { dir: join(home, 'instructions'), isSet: true, cwd: home },
    ...more,
  });

export const named = (checks: readonly DoctorCheck[], name: string): readonly DoctorCheck[] =>
  checks.filter((check) => check.name === name);
export const troubles = (checks: readonly DoctorCheck[]): readonly string[] =>
  checks.filter(({ status }) => status !== 'ok').map(({ name, status }) => `${name} ${status}`);
