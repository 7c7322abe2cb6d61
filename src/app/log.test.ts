import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localTenant } from '#kernel/call.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import type { Invoke, Outcome } from '#kernel/tool/invoke.ts';
import { allCards } from './generate/generate.ts';
import { createLog, type LineSink, logCalls } from './log.ts';

const caller = { tenant: localTenant, actor: 'tester', scopes: new Set(['admin'] as const) };
const invoke: Invoke = async ({ name }) =>
  ({ ok: true, card: allCards().find((card) => card.name === name), value: {}, text: '{}' }) as Outcome;

const said = async (settings: { everyCall: boolean; writes: boolean }): Promise<readonly unknown[]> => {
  const log = createLogFixture();
  const logged = logCalls(invoke, log, settings);
  await logged({ name: 'scratch_read', args: { secret: 'hunter2' }, caller });
  await logged({ name: 'scratch_create', args: { secret: 'hunter2' }, caller });
  expect(JSON.stringify(log.lines)).not.toContain('hunter2');
  return log.lines.map((line) => line.fields['tool']);
};

test('logs every call, only writes, or nothing, and never an argument', async () => {
  expect(await said({ everyCall: true, writes: false })).toEqual(['scratch_read', 'scratch_create']);
  expect(await said({ everyCall: false, writes: true })).toEqual(['scratch_create']);
  expect(await said({ everyCall: false, writes: false })).toEqual([]);
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fourfold-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const createHeard = (): LineSink & { text: string } => ({
  text: '',
  write(line) {
    this.text += line;
  },
});

const linesOf = (file: string): { level: string; msg: string }[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: string; msg: string });

test('keeps lines in order while the formatter loads, and drops those below the level', async () => {
  const file = join(folder, 'log');
  const stderr = createHeard();
  const log = createLog({ level: 'error', file, rotateBytes: 10_000 }, stderr);
  log.info({}, 'too quiet');
  log.error({ n: 1 }, 'first');
  log.error({ n: 2 }, 'second');
  await vi.waitFor(() => expect(linesOf(file).map((line) => line.msg)).toEqual(['first', 'second']), {
    timeout: 120_000,
  });
  expect(linesOf(file)[0]).toMatchObject({ level: 'error', n: 1 });
  expect(stderr.text).toBe(readFileSync(file, 'utf8'));
});

test('rotates a file that has reached its limit', async () => {
  const file = join(folder, 'log');
  const log = createLog({ level: 'error', file, rotateBytes: 300 }, createHeard());
  for (let n = 0; n < 6; n += 1) log.error({ filler: 'x'.repeat(60) }, `line ${n}`);
  await vi.waitFor(() => expect(linesOf(file).at(-1)?.msg).toBe('line 5'), { timeout: 120_000 });
  expect(linesOf(`${file}.1`).length).toBeGreaterThan(0);
  expect(readFileSync(file).length).toBeLessThanOrEqual(300);
});

test('counts the limit in bytes, not characters', async () => {
  const file = join(folder, 'log');
  const log = createLog({ level: 'error', file, rotateBytes: 400 }, createHeard());
  for (let n = 0; n < 4; n += 1) log.error({ filler: '€'.repeat(60) }, `line ${n}`);
  await vi.waitFor(() => expect(linesOf(file).at(-1)?.msg).toBe('line 3'), { timeout: 120_000 });
  for (const name of [file, `${file}.1`]) expect(readFileSync(name).length).toBeLessThanOrEqual(400);
});

test('continues with a new file if another process has rotated it', async () => {
  const file = join(folder, 'log');
  const stderr = createHeard();
  const log = createLog({ level: 'error', file, rotateBytes: 300 }, stderr);
  log.error({ filler: 'x'.repeat(200) }, 'first');
  await vi.waitFor(() => expect(linesOf(file)).toHaveLength(1), { timeout: 120_000 });
  renameSync(file, `${file}.1`);
  log.error({ filler: 'x'.repeat(200) }, 'second');
  expect(linesOf(file).map(({ msg }) => msg)).toEqual(['second']);
  rmSync(folder, { recursive: true, force: true });
  log.error({ filler: 'x'.repeat(200) }, 'third');
  expect(stderr.text).toContain('third');
});
