import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeFile } from '#tests/support/program.ts';
import { killRounds } from './kill-rounds.ts';

const forgetful = fileURLToPath(new URL('./forgetful-server.mjs', import.meta.url));

/** Full size: FOURFOLD_TEST_KILL_ROUNDS=200. */
const rounds = Number(process.env['FOURFOLD_TEST_KILL_ROUNDS'] ?? 15);

describe('kill -9 through the real server', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fourfold-kill-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it(`loses no acknowledged write in ${rounds} rounds`, { timeout: 300_000 }, async () => {
    const env = { FOURFOLD_HOME: folder, FOURFOLD_LOG_LEVEL: 'error' };
    const report = await killRounds({ file: probeFile, env }, rounds);
    expect(report.lost).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(report.rounds);
  });

  it('negative control: catches a server that acknowledges before it stores', { timeout: 600_000 }, async () => {
    const report = await killRounds({ file: forgetful, env: { FORGETFUL_FILE: join(folder, 'kept') } }, 20);
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.lost.length).toBeGreaterThan(0);
  });
});
