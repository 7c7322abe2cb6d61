import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { integrationLimits } from '../integration-limits.ts';
import type { CellItem, FactItem, PadItem } from './memory-item.ts';
import { findMovedItems, type MovedItem, saveMovedItems } from './moved-item-store.ts';

const toItem = (...parts: readonly string[]): string => sha256Hex(canonicalJson(parts)).slice(0, 32);

export const factRecord = (fact: FactItem): MovedItem => ({
  item: toItem('fact', fact.key),
  // A line number moves when an earlier line is added, and says nothing else.
  hash: sha256Hex(canonicalJson([fact.subject, fact.fields ?? null, fact.relations ?? null])),
});

export const cellRecord = ({ scratchId }: PadItem, { cellId, content }: CellItem): MovedItem => ({
  item: toItem('cell', scratchId, cellId),
  hash: sha256Hex(content),
});

export type MovedItems = ReturnType<typeof createMovedItems>;

/** What was imported before, so that a second import adds only what is new. */
export const createMovedItems = (storage: Pick<Storage, 'read' | 'write'>, program: string, call: Call) => ({
  /** Hashes by item. */
  async find(records: readonly MovedItem[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const { knownItemsCount } = integrationLimits;
    for (let at = 0; at < records.length; at += knownItemsCount) {
      const items = records.slice(at, at + knownItemsCount).map(({ item }) => item);
      for (const { item, hash } of await storage.read(call, (db) => findMovedItems(db, program, items)))
        found.set(item, hash);
    }
    return found;
  },
  async save(records: readonly MovedItem[]): Promise<void> {
    if (records.length === 0) return;
    await storage.write({ ...call, audit: 'none' }, (db) => saveMovedItems(db, program, records));
  },
});
