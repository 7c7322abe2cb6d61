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
import { openHouse } from './folder-house.ts';
import { toEntry } from './open-catalog.ts';

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
  /** Has somebody's next change of the same entry been decided in the store, as every process of ours does first? */
  readonly isDecided: boolean;
}

/** A commit after whose rename, and before whose look at what it wrote, somebody else's bytes come to stand there. */
async function commitInto({ isDecided }: Intruder) {
  const house = await openHouse();
  const { search, meaning, log } = house.open();
  const { folder } = house.folders;
  const closing = new AbortController().signal;
  const sink = { apply() {}, find: () => undefined, ids: () => [], reconcile() {} };
  const common = { clock: systemClock, log, sink, canonicalOff: false, closing };
  const files = createEntryFiles({ ...common, folder, readRetries: 0, readBackoffMs: 0 });
  let isIn = false;
  const readNow = (): string => {
    try {
      return readFileSync(house.path('a.json'), 'utf8');
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
      ...house.storage,
      async read(call, work) {
        if (isIn && isDecided) {
          await house.storage.write(house.call({ actor: 'intruder', audit: 'none' }), function* (db) {
            yield* putSeen(db, 'a', etagOf(theirs));
          });
        }
        return house.storage.read(call, work);
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
            writeFileSync(house.path('a.json'), theirs);
          }
          return done;
        },
      },
    },
    finish: async () => {},
  });
  return { house, log, readNow, isIn: () => isIn, commit: () => commit(house.call(), [change], () => {}) };
}

export function describeReadBack(): void {
  describe('a file that is read back', () => {
    test('and holds somebody’s next change, which is decided, is no damage: ours was there', async () => {
      const { house, commit, isIn, readNow } = await commitInto({ isDecided: true });
      expect(await commit()).toBe(true);
      expect(isIn()).toBe(true);
      expect(readNow()).toBe(theirs);
      expect(await house.openRows()).toEqual([]);
    });

    test('and holds bytes that nobody decided on is damage, and is left as it is', async () => {
      const { house, log, commit, readNow } = await commitInto({ isDecided: false });
      await expect(commit()).rejects.toMatchObject({ code: 'INTEGRITY_ERROR', message: expect.stringContaining('a ') });
      expect(readNow()).toBe(theirs);
      expect(await house.openRows()).toEqual([{ id: 'a', state: 'given-up' }]);
      expect(log.lines).toContainEqual(
        expect.objectContaining({ level: 'warn', message: 'could not restore the previous version of an instruction' }),
      );
    });
  });
}
