import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog, type LineSink } from './log.ts';

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

test('lines said before the formatter is loaded are kept, in order, and those below the level are not', async () => {
  const file = join(folder, 'log');
  const stderr = createHeard();
  const log = createLog({ level: 'error', file, rotateBytes: 10_000 }, stderr);
  log.info({}, 'too quiet');
  log.error({ n: 1 }, 'first');
  log.error({ n: 2 }, 'second');
  await vi.waitFor(() => expect(linesOf(file).map((line) => line.msg)).toEqual(['first', 'second']));
  expect(linesOf(file)[0]).toMatchObject({ level: 'error', n: 1 });
  expect(stderr.text).toBe(readFileSync(file, 'utf8'));
});

test('a file that has grown is set aside and begun anew', async () => {
  const file = join(folder, 'log');
  const log = createLog({ level: 'error', file, rotateBytes: 300 }, createHeard());
  for (let n = 0; n < 6; n += 1) log.error({ filler: 'x'.repeat(60) }, `line ${n}`);
  await vi.waitFor(() => expect(linesOf(file).at(-1)?.msg).toBe('line 5'));
  expect(linesOf(`${file}.1`).length).toBeGreaterThan(0);
  expect(readFileSync(file).length).toBeLessThanOrEqual(300);
});

test('the limit counts bytes, not characters', async () => {
  const file = join(folder, 'log');
  const log = createLog({ level: 'error', file, rotateBytes: 400 }, createHeard());
  for (let n = 0; n < 4; n += 1) log.error({ filler: '€'.repeat(60) }, `line ${n}`);
  await vi.waitFor(() => expect(linesOf(file).at(-1)?.msg).toBe('line 3'));
  for (const name of [file, `${file}.1`]) expect(readFileSync(name).length).toBeLessThanOrEqual(400);
});

test('a file that another process has set aside is begun anew, and nothing is thrown', async () => {
  const file = join(folder, 'log');
  const stderr = createHeard();
  const log = createLog({ level: 'error', file, rotateBytes: 300 }, stderr);
  log.error({ filler: 'x'.repeat(200) }, 'first');
  await vi.waitFor(() => expect(linesOf(file)).toHaveLength(1));
  renameSync(file, `${file}.1`);
  log.error({ filler: 'x'.repeat(200) }, 'second');
  expect(linesOf(file).map(({ msg }) => msg)).toEqual(['second']);
  rmSync(folder, { recursive: true, force: true });
  log.error({ filler: 'x'.repeat(200) }, 'third');
  expect(stderr.text).toContain('third');
});
