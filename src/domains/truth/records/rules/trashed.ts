import type { StoredRecordRow } from '../record-store.ts';

type Trashed = Omit<StoredRecordRow, 'record_id' | 'embedding'> & { readonly embedding: string | null };

/** What the trash keeps of a record: all of it. */
export function printTrashed({ record_id: _id, embedding, ...row }: StoredRecordRow): string {
  const kept: Trashed = { ...row, embedding: embedding === null ? null : Buffer.from(embedding).toString('base64') };
  return JSON.stringify(kept);
}

export function parseTrashed(id: string, document: string): StoredRecordRow {
  const { embedding, ...row } = JSON.parse(document) as Trashed;
  return { record_id: id, ...row, embedding: embedding === null ? null : Buffer.from(embedding, 'base64') };
}
