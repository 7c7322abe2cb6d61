import type { Reader, Work } from '#kernel/storage/port.ts';
import { newestTrash } from '#kernel/storage/trash.ts';
import { recordTopic } from '../truth-vocabulary.ts';
import { parseTrashed, type ShownRecord, toRecord } from './record.ts';
import { findRecord } from './record-store.ts';

/** A record as the source of observations. */
export interface RecordSource extends ShownRecord {
  /** It is in the trash, and its observations are not. */
  readonly isDeleted: boolean;
}

/** Also one that was deleted and not purged yet; undefined when nothing is known of it any more. */
export function* recordSource(db: Reader, id: string): Work<RecordSource | undefined> {
  const row = yield* findRecord(db, id);
  if (row !== undefined) return { ...toRecord(row), isDeleted: false };
  const item = yield* newestTrash(db, recordTopic, id);
  return item === undefined ? undefined : { ...toRecord(parseTrashed(id, item.document)), isDeleted: true };
}
