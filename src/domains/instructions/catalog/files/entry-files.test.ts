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
  const reported = new Map<string, CatalogEntry | undefined>();
  const files = createEntryFiles({
    folder,
    clock: systemClock,
    log: silentLog,
    sink: {
      apply({ entries }) {
        for (const [id, entry] of entries) reported.set(id, entry);
      },
      find: (id) => reported.get(id),
      ids: () => reported.keys(),
      reconcile() {},
    },
    canonicalOff: false,
    closing: new AbortController().signal,
    readRetries: 0,
    readBackoffMs: 0,
  });
  const path = (name: string) => join(folder, name);
  const write = (name: string, body: string) => writeFileSync(path(name), JSON.stringify({ id: 'a', body }));
  /** As a commit does: write, read back, and note it as written. */
  function writeOwn(body: string): CatalogEntry {
    write('a.json', body);
    const found = readEntryFile(folder, 'a.json');
    if (found.kind !== 'bytes') throw new Error('nothing was written');
    const { item: kept } = parseEntry(found.bytes, { id: 'a', modifiedAt: found.modifiedAt, canonicalOff: false });
    if (kept === undefined) throw new Error('it cannot be read');
    files.noteWritten('a.json', found, kept);
    return kept;
  }
  return { files, reported, path, write, writeOwn };
}

test('reports a file that was read back without reading it again', () => {
  const { files, reported, writeOwn } = openFiles();
  const kept = writeOwn('ours');
  files.publishWritten(['a.json']);
  expect(reported.get('a')).toBe(kept);
});

test('reads and reports a file that was replaced after it was read back', () => {
  const { files, reported, path, write, writeOwn } = openFiles();
  writeOwn('ours');
  // The same length, but another file.
  write('b.tmp', 'them');
  renameSync(path('b.tmp'), path('a.json'));
  files.publishWritten(['a.json']);
  expect(reported.get('a')?.entry.body).toContain('them');
});

test('reports a file that vanished after it was read back as gone', () => {
  const { files, reported, path, writeOwn } = openFiles();
  writeOwn('ours');
  rmSync(path('a.json'));
  files.publishWritten(['a.json']);
  expect([...reported]).toEqual([['a', undefined]]);
});

test('uses a noted read-back only once', () => {
  const { files, reported, writeOwn } = openFiles();
  const kept = writeOwn('ours');
  files.publishWritten(['a.json']);
  files.publishWritten(['a.json']);
  expect(reported.get('a')).not.toBe(kept);
  expect(reported.get('a')).toEqual(kept);
});

test('ignores our own changes of the folder and detects changes of the version file by others', async () => {
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
