import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import type { CatalogEntry } from '../catalog.ts';
import { parseEntry } from '../entry-json.ts';
import { createEntryFiles } from './entry-files.ts';
import { versionFile } from './folder-names.ts';
import { readEntryFile } from './read-file.ts';

function openFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'ff-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const told = new Map<string, CatalogEntry | undefined>();
  const files = createEntryFiles({
    folder,
    clock: systemClock,
    log: silentLog,
    sink: {
      apply({ entries }) {
        for (const [id, entry] of entries) told.set(id, entry);
      },
      find: (id) => told.get(id),
      ids: () => told.keys(),
      reconcile() {},
    },
    canonicalOff: false,
    closing: new AbortController().signal,
    readRetries: 0,
    readBackoffMs: 0,
  });
  const path = (name: string) => join(folder, name);
  const write = (name: string, body: string) => writeFileSync(path(name), JSON.stringify({ id: 'a', body }));
  /** As a commit does it: written, read back, and told so. */
  function writeOwn(body: string): CatalogEntry {
    write('a.json', body);
    const found = readEntryFile(folder, 'a.json');
    if (found.kind !== 'bytes') throw new Error('nothing was written');
    const { item: kept } = parseEntry(found.bytes, { id: 'a', modifiedAt: found.modifiedAt, canonicalOff: false });
    if (kept === undefined) throw new Error('it cannot be read');
    files.noteWritten('a.json', found, kept);
    return kept;
  }
  return { files, told, path, write, writeOwn };
}

test('what was read back is told without being read again', () => {
  const { files, told, writeOwn } = openFiles();
  const kept = writeOwn('ours');
  files.publishWritten(['a.json']);
  expect(told.get('a')).toBe(kept);
});

test('what came to stand there since it was read back is read and told', () => {
  const { files, told, path, write, writeOwn } = openFiles();
  writeOwn('ours');
  // Of the same length: another file all the same.
  write('b.tmp', 'them');
  renameSync(path('b.tmp'), path('a.json'));
  files.publishWritten(['a.json']);
  expect(told.get('a')?.entry.body).toContain('them');
});

test('what was read back and is gone since is told to be gone', () => {
  const { files, told, path, writeOwn } = openFiles();
  writeOwn('ours');
  rmSync(path('a.json'));
  files.publishWritten(['a.json']);
  expect([...told]).toEqual([['a', undefined]]);
});

test('what was read back counts once: the next time the file is read', () => {
  const { files, told, writeOwn } = openFiles();
  const kept = writeOwn('ours');
  files.publishWritten(['a.json']);
  files.publishWritten(['a.json']);
  expect(told.get('a')).not.toBe(kept);
  expect(told.get('a')).toEqual(kept);
});

test('a change of our own moves nothing; what others do to the version file meanwhile is seen', async () => {
  const { files, path, write } = openFiles();
  writeFileSync(path(versionFile), '1\n');
  await files.sweep(true);
  expect(files.detectChange()).toBe('no');
  files.withOwnChange(() => write('a.json', 'ours'), 'folder');
  expect(files.detectChange()).toBe('no');
  files.withOwnChange(() => utimesSync(path(versionFile), 1, 1));
  expect(files.detectChange()).toBe('no');
  files.withOwnChange(() => utimesSync(path(versionFile), 2, 2), 'folder');
  expect(files.detectChange()).toBe('yes');
});
