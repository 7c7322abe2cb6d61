import type { Work, Writer } from '#kernel/storage/port.ts';
import { addToTotal, deleteProperties, insertProperties, type StoredRecordRow } from './record-store.ts';
import { decodeVector } from './rules/embedding.ts';
import { embeddingKey, parseProperties, propertyKeys } from './rules/properties.ts';

export const embeddingOf = ({ embedding }: StoredRecordRow): Float32Array | undefined =>
  embedding === null ? undefined : decodeVector(embedding);

/** All keys by which filters find a record. */
export function keysOf(row: StoredRecordRow): readonly string[] {
  const { embedding } = row;
  const keys = propertyKeys(parseProperties(row.properties));
  return embedding === null ? keys : [...keys, embeddingKey(embedding.byteLength / 4)];
}

/** Updates the filter keys of a record; undefined means that it does not exist before or after. */
export function* updateKeys(
  db: Writer,
  before: StoredRecordRow | undefined,
  after: StoredRecordRow | undefined,
): Work<void> {
  const id = (before ?? after)!.record_id;
  const old = new Set(before === undefined ? [] : keysOf(before));
  const now = new Set(after === undefined ? [] : keysOf(after));
  const gone = [...old].filter((key) => !now.has(key));
  if (gone.length > 0) yield* deleteProperties(db, id, gone);
  yield* insertProperties(
    db,
    id,
    [...now].filter((key) => !old.has(key)),
  );
}

export function* updateTotals(db: Writer, before: string | undefined, after: string | undefined): Work<void> {
  if (before === after) return;
  const counts = new Map<string, number>();
  if (before === undefined) counts.set('', 1);
  if (after === undefined) counts.set('', -1);
  if (before !== undefined) counts.set(before, -1);
  if (after !== undefined) counts.set(after, 1);
  for (const key of [...counts.keys()].sort()) yield* addToTotal(db, key, counts.get(key)!);
}
