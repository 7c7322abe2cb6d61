import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createTrace, type TraceDeps, traceFileLimits, traceLimits } from './trace.ts';

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'ff-trace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dir = join(folder, 'traces');
  return {
    folder,
    dir,
    open: (part: Partial<TraceDeps> = {}) =>
      createTrace({
        dir,
        maxBytes: 65_536,
        session: 's1',
        allow: [],
        deny: [],
        clock: createManualClock(),
        ...part,
      }),
    names: () => readdirSync(dir).sort(),
    lines: () =>
      readdirSync(dir)
        .sort()
        .flatMap((name) => readFileSync(join(dir, name), 'utf8').split('\n').slice(0, -1)),
  };
}

test('[IN42] a line contains category, sub-category and JSON', () => {
  const { open, lines, names } = openFolder();
  const { trace } = open();
  trace('list', undefined, { repairedVisibility: true, text: 'two\nlines' });
  trace('write', 'fsync', { id: 'alpha' });
  expect(names()).toEqual([expect.stringMatching(/^trace-s1-\d+\.0001\.jsonl$/)]);
  expect(lines()).toEqual([
    '[trace:list] {"ts":"2026-01-01T00:00:00.000Z","session":"s1","n":1,"repairedVisibility":true,"text":"two\\nlines"}',
    '[trace:write:fsync] {"ts":"2026-01-01T00:00:00.000Z","session":"s1","n":2,"id":"alpha"}',
  ]);
});

test('echo receives exactly the lines that are written', () => {
  const { open, lines } = openFolder();
  const heard: string[] = [];
  const { trace } = open({ deny: ['get'], echo: (line) => void heard.push(line) });
  trace('list', undefined, { a: 1 });
  trace('get', undefined, {});
  trace('list', undefined, { pad: 'x'.repeat(traceLimits.lineBytes) });
  expect(heard).toEqual(lines().map((line) => `${line}\n`));
  expect(heard).toHaveLength(2);
});

test('traces nothing without a folder', () => {
  const { open, folder } = openFolder();
  const { trace, isOn } = open({ dir: undefined });
  trace('list', undefined, {});
  expect(isOn('list')).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

test('creates the folder with the first line', () => {
  const { open, folder, names } = openFolder();
  const { trace } = open();
  expect(readdirSync(folder)).toEqual([]);
  trace('list', undefined, {});
  expect(names()).toHaveLength(1);
});

test('traces allowed categories, and denials win', () => {
  const { open, lines } = openFolder();
  const { trace, isOn } = open({ allow: ['list', 'write:fsync'], deny: ['list:noise'] });
  expect([isOn('list'), isOn('list', 'noise'), isOn('write'), isOn('write', 'fsync'), isOn('load')]).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  trace('list', 'noise', {});
  trace('load', undefined, {});
  trace('list', undefined, {});
  expect(lines()).toHaveLength(1);
  expect(open({ deny: ['list'] }).isOn('list')).toBe(false);
  expect(open({ deny: ['list'] }).isOn('load')).toBe(true);
});

test('[IN42] limits file size and file count without losing a line', () => {
  const { open, names, lines, dir } = openFolder();
  const { trace } = open({ maxBytes: 1_024 });
  for (let i = 0; i < 30; i += 1) trace('list', undefined, { pad: 'x'.repeat(100) });
  const sizes = names().map((name) => statSync(join(dir, name)).size);
  expect(sizes.length).toBeGreaterThan(3);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_024);
  expect(lines().map((line) => (JSON.parse(line.slice(line.indexOf('{'))) as { n: number }).n)).toEqual(
    Array.from({ length: 30 }, (_, i) => i + 1),
  );
  for (let i = 0; i < 300; i += 1) trace('list', undefined, { pad: 'x'.repeat(100) });
  expect(names()).toHaveLength(traceFileLimits.sessionFilesCount);
});

test('replaces a line that is too long by its size', () => {
  const { open, lines } = openFolder();
  open().trace('list', undefined, { pad: 'é'.repeat(traceLimits.lineBytes) });
  expect(lines()[0]).toMatch(/"truncated":true,"bytes":\d{5}\}$/);
});

test('does not throw for values that cannot be serialised', () => {
  const { open, lines } = openFolder();
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const { trace } = open();
  trace('list', undefined, cycle);
  trace('list', undefined, { big: 1n });
  expect(lines()).toEqual(['[trace:list] {"unserializable":true}', '[trace:list] {"unserializable":true}']);
});

test('[IN42] does not throw when the folder cannot be created', () => {
  const { open, folder } = openFolder();
  writeFileSync(join(folder, 'taken'), '');
  const { trace } = open({ dir: join(folder, 'taken', 'traces') });
  for (let i = 0; i < 10; i += 1) trace('list', undefined, {});
  expect(readdirSync(folder)).toEqual(['taken']);
});

test.each(['../../escape', '/etc/passwd', '...', 'a b\nc', 'x'.repeat(500), ''])(
  'keeps the session %j inside the folder',
  (session) => {
    const { open, names, folder } = openFolder();
    open({ session }).trace('list]\n{', '../x', {});
    expect(names()).toEqual([expect.stringMatching(/^trace-[\w.-]+\.0001\.jsonl$/)]);
    expect(readdirSync(folder)).toEqual(['traces']);
  },
);

test('escapes names that would close the bracket', () => {
  const { open, lines } = openFolder();
  open().trace('a] {"x":1}\n', 'b:c', {});
  expect(lines()).toEqual([expect.stringMatching(/^\[trace:a____x__1__:b_c\] \{/)]);
});

test('gives unnamed sessions different names', () => {
  const { open, names } = openFolder();
  open({ session: undefined }).trace('a', undefined, {});
  open({ session: undefined }).trace('a', undefined, {});
  expect(names()).toHaveLength(2);
});

test('deletes the oldest files of other sessions when there are too many, and no foreign files', () => {
  const { open, names, dir } = openFolder();
  open({ session: 'first' }).trace('a', undefined, {});
  writeFileSync(join(dir, 'notes.txt'), 'mine');
  for (let i = 0; i < traceFileLimits.folderFilesCount + 5; i += 1) {
    const path = join(dir, `trace-old-${String(i).padStart(3, '0')}.jsonl`);
    writeFileSync(path, '');
    utimesSync(path, i + 1, i + 1);
  }
  open({ session: 'second' }).trace('a', undefined, {});
  const left = names();
  expect(left).toHaveLength(traceFileLimits.folderFilesCount + 1);
  expect(left).toContain('notes.txt');
  expect(left).not.toContain('trace-old-000.jsonl');
  expect(left.some((name) => name.startsWith('trace-first'))).toBe(true);
});
