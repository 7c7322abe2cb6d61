import { hmacHex } from '../hash/hash.ts';
import type { ChangeKind } from '../storage/port.ts';

/** One line of the audit: who did what to which item, and the state it was left in. */
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

/** What the first row of a tenant's chain is linked to. */
export const genesisMac = '';

/** Covers every column and the row before it: an edited, swapped or dropped row breaks the chain from there on. */
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
