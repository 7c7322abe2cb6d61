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
import { ifMissing } from '../file-faults.ts';

/** Readable files for people and other programs, as the documents describe; an import does not need them. */
const usageFile = 'usage-snapshot.json';
const feedbackFile = 'feedback-entries.json';

const summaryLimits = { pageCount: 500, headBytes: 64 } as const;

async function readUsage(read: Storage['read'], call: () => Call): Promise<readonly object[]> {
  const items: object[] = [];
  for (let after = ''; ; ) {
    const page = await read(call(), function* (db) {
      const ids = (yield* idsAfter(db, after, summaryLimits.pageCount)).map(({ id }) => id);
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
    if (page.length < summaryLimits.pageCount) return items;
  }
}

async function readFeedback(read: Storage['read'], call: () => Call): Promise<readonly object[]> {
  const entries: object[] = [];
  for (;;) {
    const page = await read(call(), (db) => listEntries(db, {}, summaryLimits.pageCount, entries.length));
    entries.push(...page.map(toFeedbackEntry));
    if (page.length < summaryLimits.pageCount) return entries;
  }
}

const formats = { [usageFile]: 'fourfold-usage', [feedbackFile]: 'fourfold-feedback' } as const;
type SummaryFile = keyof typeof formats;
const names = Object.keys(formats) as readonly SummaryFile[];

const toText = (name: SummaryFile, rest: object): string =>
  `${JSON.stringify({ format: formats[name], ...rest }, undefined, 2)}\n`;

/** Replaces a file of an earlier export, but no other file. */
async function refuseForeign(folder: string, name: SummaryFile): Promise<void> {
  const path = join(folder, name);
  const handle = await open(path, 'r').catch(ifMissing(undefined));
  if (handle === undefined) return;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(summaryLimits.headBytes), 0);
    const head = buffer.subarray(0, bytesRead).toString();
    if (!head.includes(`"format": "${formats[name]}"`)) throw adminFaults.TARGET_TAKEN({ path });
  } finally {
    await handle.close();
  }
}

export const refuseForeignSummaryFiles = async (folder: string): Promise<void> => {
  for (const name of names) await refuseForeign(folder, name);
};

export async function writeSummaryFiles(from: Storage, call: () => Call, scratch: string, at: string): Promise<void> {
  const read: Storage['read'] = (own, work) => from.read(own, work);
  const facts = { tenant: call().tenant, at };
  const contents = {
    [usageFile]: { ...facts, items: await readUsage(read, call) },
    [feedbackFile]: { ...facts, entries: await readFeedback(read, call) },
  };
  for (const name of names) {
    const path = join(scratch, name);
    // An earlier attempt may have created it.
    await rm(path, { force: true });
    await writeDurably(path, toText(name, contents[name]));
  }
}

export async function placeSummaryFiles(scratch: string, folder: string): Promise<readonly string[]> {
  for (const name of names) await rename(join(scratch, name), join(folder, name));
  return names.map((name) => join(folder, name));
}
