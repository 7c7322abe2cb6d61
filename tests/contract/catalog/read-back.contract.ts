import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createBackgroundCalls } from '#domains/instructions/catalog/background-calls.ts';
import { putSeen } from '#domains/instructions/catalog/catalog-store.ts';
import { etagOf, toEntryText } from '#domains/instructions/catalog/entry-json.ts';
import type { PreparedChange } from '#domains/instructions/catalog/entry-source.ts';
import { createFileCommit } from '#domains/instructions/catalog/files/commit-files.ts';
import { createEntryFiles } from '#domains/instructions/catalog/files/entry-files.ts';
import { flushFolder } from '#domains/instructions/catalog/files/write-file.ts';
import { localTenant } from '#kernel/call.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { openCatalogFolder } from './catalog-folder.fixture.ts';
import { toEntry } from './open-catalog.fixture.ts';

const entry = toEntry({ id: 'a', body: 'ours' });
const ours = toEntryText(entry);
const theirs = toEntryText(toEntry({ id: 'a', body: 'theirs' }));
const change: PreparedChange = {
  id: 'a',
  before: null,
  after: { entry, text: ours, etag: etagOf(ours) },
  fromArchive: false,
};

interface Intruder {
  /** Whether the next change of the same entry was decided in the store, as every process does first. */
  readonly isDecided: boolean;
}

/** A commit whose file is replaced by somebody else after the rename and before the read-back. */
async function commitInto({ isDecided }: Intruder) {
  const fixture = await openCatalogFolder();
  const { search, meaning, log } = fixture.open();
  const { folder } = fixture.folders;
  const closing = new AbortController().signal;
  const sink = { apply() {}, find: () => undefined, ids: () => [], reconcile() {} };
  const common = { clock: systemClock, log, sink, canonicalOff: false, closing };
  const files = createEntryFiles({ ...common, folder, readRetries: 0, readBackoffMs: 0 });
  let isIn = false;
  const readNow = (): string => {
    try {
      return readFileSync(fixture.path('a.json'), 'utf8');
    } catch {
      return '';
    }
  };
  const commit = createFileCommit({
    ...common,
    tenant: localTenant,
    search,
    meaning,
    calls: createBackgroundCalls(systemClock, closing),
    storage: {
      ...fixture.storage,
      async read(call, work) {
        if (isIn && isDecided) {
          await fixture.storage.write(fixture.call({ actor: 'intruder', audit: 'none' }), function* (db) {
            yield* putSeen(db, 'a', etagOf(theirs));
          });
        }
        return fixture.storage.read(call, work);
      },
    },
    writer: {
      folder,
      log,
      writeRetries: 0,
      writeBackoffMs: 0,
      flushMode: () => 'sync',
      flushFolder,
      files: {
        ...files,
        withOwnChange(work) {
          const done = files.withOwnChange(work);
          if (!isIn && readNow() === ours) {
            isIn = true;
            writeFileSync(fixture.path('a.json'), theirs);
          }
          return done;
        },
      },
    },
    finish: async () => {},
  });
  return { fixture, log, readNow, isIn: () => isIn, commit: () => commit(fixture.call(), [change], () => {}) };
}

export function describeReadBack(): void {
  describe('read-back of a committed file', () => {
    test('accepts the next change of another writer that is recorded in the store', async () => {
      const { fixture, commit, isIn, readNow } = await commitInto({ isDecided: true });
      expect(await commit()).toBe(true);
      expect(isIn()).toBe(true);
      expect(readNow()).toBe(theirs);
      expect(await fixture.journalRows()).toEqual([]);
    });

    test('reports bytes that no writer recorded as damage and leaves them', async () => {
      const { fixture, log, commit, readNow } = await commitInto({ isDecided: false });
      await expect(commit()).rejects.toMatchObject({ code: 'INTEGRITY_ERROR', message: expect.stringContaining('a ') });
      expect(readNow()).toBe(theirs);
      expect(await fixture.journalRows()).toEqual([{ id: 'a', state: 'given-up' }]);
      expect(log.lines).toContainEqual(
        expect.objectContaining({ level: 'warn', message: 'could not restore the previous version of an instruction' }),
      );
    });
  });
}
