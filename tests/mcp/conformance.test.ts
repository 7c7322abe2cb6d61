import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conformanceFixtures, fixtureResources } from './conformance/fixtures.ts';
import { type Loopback, listenOnLoopback } from './support/loopback.ts';
import { createSampleServer } from './support/sample-server.ts';

let server: Loopback;
let folder: string;

beforeAll(async () => {
  const { deps } = createSampleServer({ resources: fixtureResources });
  server = await listenOnLoopback(deps, { fixtures: conformanceFixtures });
  folder = mkdtempSync(join(tmpdir(), 'fourfold-conformance-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const packageFolder = (name: string): string => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

/** Runs an official suite against the server; returns its exit code and summary. */
function run(
  suite: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly summary: string }> {
  const file = join(packageFolder(suite), 'dist/index.js');
  const child = spawn(process.execPath, [file, 'server', '--url', server.url, ...args], { cwd: folder, stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, summary: output.slice(output.lastIndexOf('=== SUMMARY')) }));
  });
}

test('passes the active suite of the released conformance tests', async () => {
  const { code, summary } = await run('mcp-conformance', []);
  expect(summary).toContain(' 0 failed\n');
  expect(summary).toMatch(/Total: \d{2,} passed, 0 failed/);
  expect(code).toBe(0);
});

test.each(['2025-11-25', '2026-07-28'])('fulfils what revision %s requires', async (revision) => {
  const { code, summary } = await run('mcp-conformance-next', ['--requirements', revision]);
  expect(code, summary).toBe(0);
  expect(summary).toMatch(/Total: \d{2,} passed/);
});

test('negative control: the server fails the suite without its fixtures', async () => {
  const bare = await listenOnLoopback(createSampleServer().deps);
  const { url } = server;
  server = bare;
  const { code } = await run('mcp-conformance', ['--scenario', 'tools-call-image']);
  server = { ...server, url };
  await bare.close();
  expect(code).not.toBe(0);
});
