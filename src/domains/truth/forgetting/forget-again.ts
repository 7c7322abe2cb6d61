import type { Call, TenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Reader, Step, Storage } from '#kernel/storage/port.ts';
import { chunksOf } from '../chunks.ts';
import { type DatedId, listContentIds, listEntityIds, listRecordIds } from './forget-store.ts';
import { type CopiedTombstone, findTombstones, insertTombstones, noteForgetting } from './tombstone-store.ts';
import type { TombstoneKind, Tombstones } from './tombstones.ts';

export interface ForgetAgainDeps {
  readonly storage: Storage;
  readonly tombstones: Pick<Tombstones, 'macOf'>;
  forgetEntity(entityId: string, includesMentions: boolean, call: Call): Promise<unknown>;
  forgetSource(id: string, call: Call): Promise<unknown>;
}

const pageCount = 1_000;

interface Listed {
  readonly kind: TombstoneKind;
  list(db: Reader, after: string, limit: number): Step<readonly DatedId[]>;
  readonly isEntity: boolean;
}

const lists: readonly Listed[] = [
  { kind: 'entity', list: listEntityIds, isEntity: true },
  { kind: 'content', list: listContentIds, isEntity: false },
  { kind: 'record', list: listRecordIds, isEntity: false },
];

/**
 * Tombstones that the store does not have are those of a later state: the store was restored from an older copy. Forgets
 * again what it brought back. Returns how many items that were.
 */
export function createForgetAgain({ storage, tombstones, forgetEntity, forgetSource }: ForgetAgainDeps) {
  async function missing(call: Call, rows: readonly CopiedTombstone[]): Promise<readonly CopiedTombstone[]> {
    const known = new Set<string>();
    for (const some of chunksOf(rows, pageCount)) {
      const macs = some.map(({ mac }) => mac);
      for (const { mac } of await storage.read(call, (db) => findTombstones(db, macs))) known.add(mac);
    }
    return rows.filter(({ mac }) => !known.has(mac));
  }

  return async function forgetAgain(tenant: TenantId, rows: readonly CopiedTombstone[]): Promise<number> {
    const call: Call = {
      ...systemCall('truth/forget', { tenant, deadlineAt: Number.POSITIVE_INFINITY }),
      audit: 'row',
    };
    const left = await missing(call, rows);
    if (left.length === 0) return 0;
    const byMac = new Map(left.map((row) => [row.mac, row]));
    let count = 0;
    for (const { kind, list, isEntity } of lists) {
      for (let after = ''; ; ) {
        const from = after;
        const page = await storage.read(call, (db) => list(db, from, pageCount));
        for (const { id, created_at } of page) {
          const row = byMac.get(tombstones.macOf(tenant, { kind, value: id }));
          if (row === undefined || created_at > row.forgotten_at) continue;
          try {
            await (isEntity ? forgetEntity(id, row.mentions === true, call) : forgetSource(id, call));
            count += 1;
          } catch (error) {
            // It was in the group of one that is forgotten already.
            if (!(error instanceof Fault) || error.kind.http !== 404) throw error;
          }
        }
        if (page.length < pageCount) break;
        after = page.at(-1)!.id;
      }
    }
    await storage.write({ ...call, audit: 'none' }, function* (db) {
      yield* insertTombstones(db, left);
      yield* noteForgetting(db, Math.max(...left.map(({ forgotten_at }) => forgotten_at)));
    });
    return count;
  };
}
