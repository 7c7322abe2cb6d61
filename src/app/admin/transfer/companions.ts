import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toFeedbackEntry } from '#domains/instructions/feedback/feedback-entry.ts';
import { listEntries } from '#domains/instructions/feedback/feedback-store.ts';
import { findCounts, idsAfter } from '#domains/instructions/usage/usage-store.ts';
import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { adminFaults } from '../admin-faults.ts';
import { writeDurably } from '../durable-files.ts';
import { absentAs } from '../file-faults.ts';

/** What the documents keep in files of their own, for people and other programs to read; import does not need them. */
const usageFile = 'usage-snapshot.json';
const feedbackFile = 'feedback-entries.json';

const companionLimits = { pageCount: 500, headBytes: 64 } as const;

async function readUsage(read: Storage['read'], call: () => Call): Promise<readonly object[]> {
  const items: object[] = [];
  for (let after = ''; ; ) {
    const page = await read(call(), function* (db) {
      const ids = (yield* idsAfter(db, after, companionLimits.pageCount)).map(({ id }) => id);
      return ids.length === 0 ? [] : yield* findCounts(db, ids);
    });
    for (const row of page.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      items.push({
        id: row.id,
        usageCount: row.usage_count,
        firstSeenTs: toIso(row.first_seen_at),
        lastUsedAt: toIso(row.last_used_at),
      });
      after = row.id > after ? row.id : after;
    }
    if (page.length < companionLimits.pageCount) return items;
  }
}

async function readFeedback(read: Storage['read'], call: () => Call): Promise<readonly object[]> {
  const entries: object[] = [];
  for (;;) {
    const page = await read(call(), function* (db) {
      return yield* listEntries(db, {}, companionLimits.pageCount, entries.length);
    });
    entries.push(...page.map(toFeedbackEntry));
    if (page.length < companionLimits.pageCount) return entries;
  }
}

const formats = { [usageFile]: 'fourfold-usage', [feedbackFile]: 'fourfold-feedback' } as const;
type CompanionFile = keyof typeof formats;
const names = Object.keys(formats) as readonly CompanionFile[];

const toText = (name: CompanionFile, rest: object): string =>
  `${JSON.stringify({ format: formats[name], ...rest }, undefined, 2)}\n`;

/** A file of this name that an export made before is replaced; anybody else's is not. */
async function refuseForeign(folder: string, name: CompanionFile): Promise<void> {
  const path = join(folder, name);
  const handle = await open(path, 'r').catch(absentAs(undefined));
  if (handle === undefined) return;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(companionLimits.headBytes), 0);
    const head = buffer.subarray(0, bytesRead).toString();
    if (!head.includes(`"format": "${formats[name]}"`)) throw adminFaults.TARGET_TAKEN({ path });
  } finally {
    await handle.close();
  }
}

export const refuseForeignCompanions = async (folder: string): Promise<void> => {
  for (const name of names) await refuseForeign(folder, name);
};

export async function makeCompanions(from: Storage, call: () => Call, scratch: string, at: string): Promise<void> {
  const read: Storage['read'] = (own, work) => from.read(own, work);
  const facts = { tenant: call().tenant, at };
  const contents = {
    [usageFile]: { ...facts, items: await readUsage(read, call) },
    [feedbackFile]: { ...facts, entries: await readFeedback(read, call) },
  };
  for (const name of names) {
    const path = join(scratch, name);
    // An attempt before this one may have made it.
    await rm(path, { force: true });
    await writeDurably(path, toText(name, contents[name]));
  }
}

/** Answers where they are. */
export async function placeCompanions(scratch: string, folder: string): Promise<readonly string[]> {
  for (const name of names) await rename(join(scratch, name), join(folder, name));
  return names.map((name) => join(folder, name));
}
