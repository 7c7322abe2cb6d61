import { hmacHex } from '../hash/hash.ts';
import type { ChangeKind } from '../storage/port.ts';

/** One audit record: the actor, the action, the item, and a hash of the item's new state. */
export interface AuditRow {
  readonly tenant: string;
  readonly seq: number;
  readonly topic: string;
  readonly id: string;
  readonly what: ChangeKind;
  readonly hash: string;
  readonly actor: string;
  readonly tool: string;
  readonly at: number;
  readonly mac: string;
}

/** The first row of a chain is linked to this. */
export const genesisMac = '';

/** Covers every column and the previous row: an edited, swapped or deleted row breaks the chain from there on. */
export const rowMac = (key: Uint8Array, previousMac: string, row: Omit<AuditRow, 'mac'>): string =>
  hmacHex(
    key,
    JSON.stringify([
      previousMac,
      row.tenant,
      row.seq,
      row.topic,
      row.id,
      row.what,
      row.hash,
      row.actor,
      row.tool,
      row.at,
    ]),
  );
