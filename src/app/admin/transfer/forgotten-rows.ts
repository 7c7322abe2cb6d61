import { findTombstones } from '#domains/truth/forgetting/tombstone-store.ts';
import { forgottenFault, type TombstoneKind, type Tombstones } from '#domains/truth/forgetting/tombstones.ts';
import type { Call } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Chunk } from './read-chunks.ts';

/** Tables whose rows have an id that can be forgotten, and the column. */
const idColumns: Readonly<Record<string, readonly [TombstoneKind, string]>> = {
  truth_entities: ['entity', 'entity_id'],
  truth_observations: ['entity', 'entity_id'],
  truth_payloads: ['content', 'content_id'],
  truth_records: ['record', 'record_id'],
  truth_files: ['file', 'sha256'],
};

/** [TR126] FORGOTTEN if an export contains what was forgotten after it was recorded. */
export async function refuseForgottenRows(
  storage: Storage,
  tombstones: Pick<Tombstones, 'macOf'>,
  call: Call,
  { table, rows }: { readonly table: Pick<Chunk['table'], 'name'>; readonly rows: Chunk['rows'] },
): Promise<void> {
  const [kind, column] = idColumns[table.name] ?? [];
  if (kind === undefined || column === undefined) return;
  const wanted = new Map(
    rows.map((row) => [
      tombstones.macOf(call.tenant, { kind, value: String(row[column]) }),
      Number(row['created_at'] ?? 0),
    ]),
  );
  for (const row of await storage.read(call, (db) => findTombstones(db, [...wanted.keys()]))) {
    if (wanted.get(row.mac)! <= row.forgotten_at) throw forgottenFault(kind, row);
  }
}
