import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { hmacHex } from '#kernel/hash/hash.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { toIso } from '../iso-time.ts';
import { findTombstones, type TombstoneRow } from './tombstone-store.ts';

/** What a tombstone can stand for. */
export type TombstoneKind = 'entity' | 'name' | 'content' | 'payload' | 'submission' | 'record' | 'file';

export interface ForgottenItem {
  readonly kind: TombstoneKind;
  readonly value: string;
}

/** An entity that was forgotten and is known again. */
export interface ForgottenBefore {
  readonly entity_id: string;
  readonly forgotten_at: string;
  readonly certificate_id: string;
}

/** An entity that a source speaks of, and when the source was read. */
export interface NamedInSource {
  readonly entityId: string;
  readonly entityType: string;
  readonly name: string;
  readonly observedAt: number;
}

/** A source itself, by the ids it has. */
export interface SourceIds {
  readonly items: readonly ForgottenItem[];
  readonly observedAt: number;
}

/** Part of the answers of writes; missing if nothing was forgotten. */
export const forgottenFields = {
  forgotten_before: z
    .array(z.object({ entity_id: z.string(), forgotten_at: z.string(), certificate_id: z.string() }))
    .optional()
    .describe('Entities in it that were forgotten, and are known again now'),
};

export function forgottenIn(written: readonly { readonly forgottenBefore?: ForgottenBefore | undefined }[]) {
  const found = new Map(
    written.flatMap(({ forgottenBefore: one }) => (one === undefined ? [] : [[one.entity_id, one]])),
  );
  return found.size === 0 ? {} : { forgotten_before: [...found.values()] };
}

export interface Tombstones {
  macOf(tenant: string, item: ForgottenItem): string;
  macOfActor(tenant: string, actor: string): string;
  /**
   * FORGOTTEN if a source that was read before an entity, or the source itself, was forgotten speaks of it now. Returns
   * the entities that were forgotten before the source was read.
   */
  refuseForgotten(
    db: Reader,
    named: readonly NamedInSource[],
    sources: readonly SourceIds[],
  ): Work<readonly ForgottenBefore[]>;
}

const whatOf: Readonly<Record<TombstoneKind, string>> = {
  entity: 'An entity in it',
  name: 'An entity in it',
  content: 'A payload with this content',
  payload: 'This payload',
  submission: 'This submission',
  record: 'This record',
  file: 'This file',
};

export const forgottenFault = (kind: TombstoneKind, { forgotten_at, certificate_id }: TombstoneRow) =>
  faults.FORGOTTEN({ what: whatOf[kind] }, { forgotten_at: toIso(forgotten_at), certificate_id });

export function createTombstones(key: Uint8Array): Tombstones {
  const macOf = (tenant: string, { kind, value }: ForgottenItem): string =>
    hmacHex(key, JSON.stringify(['tombstone', tenant, kind, value]));

  return {
    macOf,
    macOfActor: (tenant, actor) => hmacHex(key, JSON.stringify(['actor', tenant, actor])),
    *refuseForgotten(db, named, sources) {
      const wanted = [
        ...named.flatMap(({ entityId, entityType, name, observedAt }) =>
          [
            { kind: 'entity' as const, value: entityId },
            { kind: 'name' as const, value: `${entityType}:${name}` },
          ].map((item) => ({ ...item, observedAt, entityId })),
        ),
        ...sources.flatMap(({ items, observedAt }) => items.map((item) => ({ ...item, observedAt, entityId: '' }))),
      ].map((one) => ({ ...one, mac: macOf(db.tenant, one) }));
      const rows = yield* findTombstones(db, [...new Set(wanted.map(({ mac }) => mac))]);
      const byMac = new Map(rows.map((row) => [row.mac, row]));
      const before = new Map<string, ForgottenBefore>();
      for (const { mac, kind, observedAt, entityId } of wanted) {
        const row = byMac.get(mac);
        if (row === undefined) continue;
        if (observedAt <= row.forgotten_at) throw forgottenFault(kind, row);
        if (entityId === '') continue;
        const { certificate_id } = row;
        before.set(entityId, { entity_id: entityId, forgotten_at: toIso(row.forgotten_at), certificate_id });
      }
      return [...before.values()];
    },
  };
}
