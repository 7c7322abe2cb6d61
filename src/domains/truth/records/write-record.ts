import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { ChangeKind, Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { recordTopic } from '../truth-vocabulary.ts';
import { embeddingOf, updateKeys, updateTotals } from './index-record.ts';
import { parseFileUrls, parseTrashedRecord, printTrashedRecord } from './record.ts';
import type { RecordDocuments } from './record-documents.ts';
import type { RecordEmbeddings } from './record-embeddings.ts';
import {
  deleteRecord,
  findRecord,
  insertRecord,
  lockRecord,
  type StoredRecordRow,
  updateRecord,
} from './record-store.ts';
import { encodeVector } from './rules/embedding.ts';
import {
  mergeProperties,
  type Properties,
  parseProperties,
  printProperties,
  propertyKeys,
  toFacets,
} from './rules/properties.ts';

/** Its properties are validated (`checkProperties`). */
export interface RecordDraft {
  /** Created before the transaction, which may be repeated. */
  readonly id: string;
  readonly type: string;
  readonly properties: Properties;
  readonly fileUrls: readonly string[];
  readonly embedding?: Float32Array | undefined;
}

export interface RecordChanges {
  readonly type?: string | undefined;
  readonly properties?: Properties | undefined;
  readonly fileUrls?: readonly string[] | undefined;
  readonly embedding?: Float32Array | undefined;
}

export type RecordWriter = ReturnType<typeof createRecordWriter>;

const hashOf = (row: StoredRecordRow): string =>
  sha256Hex(`${row.record_id}\n${row.type}\n${row.updated_at}\n${row.file_urls}\n${row.properties}`);

const facetsOf = ({ type, properties }: StoredRecordRow) => toFacets(type, propertyKeys(parseProperties(properties)));

function* takeFromTrashOrFail(db: Writer, id: string): Work<StoredRecordRow> {
  try {
    return parseTrashedRecord(id, (yield* takeFromTrash(db, recordTopic, id)).document);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== faults.NOT_FOUND.kind.code) throw error;
    throw truthFaults.RECORD_NOT_FOUND({}, {}, { cause: error });
  }
}

/** Changes rows, indexes and trash together, in the caller's transaction. */
export function createRecordWriter(documents: RecordDocuments, embeddings: RecordEmbeddings) {
  function* expect(db: Writer, id: string): Work<StoredRecordRow> {
    yield* lockRecord(db, id);
    const row = yield* findRecord(db, id);
    if (row === undefined) throw truthFaults.RECORD_NOT_FOUND({});
    return row;
  }

  const notifyChange = (db: Writer, row: StoredRecordRow, what: ChangeKind) =>
    db.changed(recordTopic, row.record_id, what, hashOf(row));

  function* putVector(db: Writer, before: StoredRecordRow | undefined, after: StoredRecordRow): Work<void> {
    const vector = embeddingOf(after);
    if (vector === undefined) return;
    const isSame = before?.embedding != null && Buffer.compare(before.embedding, after.embedding!) === 0;
    if (isSame) yield* embeddings.setFacets(db, after.record_id, facetsOf(after));
    else yield* embeddings.put(db, after.record_id, vector, facetsOf(after));
  }

  /** Search documents last, because they serialise the writers of the collection. */
  function* insertWithIndexes(db: Writer, row: StoredRecordRow): Work<void> {
    yield* insertRecord(db, row);
    yield* updateKeys(db, undefined, row);
    yield* updateTotals(db, undefined, row.type);
    yield* notifyChange(db, row, 'create');
    yield* putVector(db, undefined, row);
    yield* documents.put(db, row);
  }

  function* updateWithIndexes(db: Writer, before: StoredRecordRow, after: StoredRecordRow): Work<StoredRecordRow> {
    yield* updateRecord(db, after);
    yield* updateKeys(db, before, after);
    yield* updateTotals(db, before.type, after.type);
    yield* notifyChange(db, after, 'update');
    yield* putVector(db, before, after);
    yield* documents.put(db, after);
    if (after.properties !== before.properties) yield* documents.reindexEntities(db, after.record_id);
    return after;
  }

  return {
    *insert(db: Writer, { id, type, properties, fileUrls, embedding }: RecordDraft): Work<StoredRecordRow> {
      const row: StoredRecordRow = {
        record_id: id,
        type,
        created_at: db.now,
        updated_at: db.now,
        file_urls: JSON.stringify(fileUrls),
        embedding: embedding === undefined ? null : encodeVector(embedding),
        properties: printProperties(properties),
      };
      yield* insertWithIndexes(db, row);
      return row;
    },
    /** RECORD_NOT_FOUND if it does not exist; also below. */
    *change(db: Writer, id: string, { type, properties, fileUrls, embedding }: RecordChanges): Work<StoredRecordRow> {
      const before = yield* expect(db, id);
      const merged =
        properties === undefined ? undefined : mergeProperties(parseProperties(before.properties), properties);
      return yield* updateWithIndexes(db, before, {
        ...before,
        type: type ?? before.type,
        // Never goes back, even if the clock was set back.
        updated_at: Math.max(db.now, before.updated_at),
        file_urls: fileUrls === undefined ? before.file_urls : JSON.stringify(fileUrls),
        embedding: embedding === undefined ? before.embedding : encodeVector(embedding),
        properties: merged === undefined ? before.properties : printProperties(merged),
      });
    },
    /** Does nothing if the URL is attached already. */
    *attachFile(db: Writer, id: string, fileUrl: string): Work<StoredRecordRow> {
      const before = yield* expect(db, id);
      const fileUrls = parseFileUrls(before.file_urls);
      if (fileUrls.includes(fileUrl)) return before;
      if (fileUrls.length >= truthLimits.recordFilesCount) {
        const why = `the record already has the maximum of ${truthLimits.recordFilesCount} files`;
        throw faults.VALIDATION_ERROR({ why }, { field: 'record_id' });
      }
      return yield* updateWithIndexes(db, before, {
        ...before,
        updated_at: Math.max(db.now, before.updated_at),
        file_urls: JSON.stringify([...fileUrls, fileUrl]),
      });
    },
    *remove(db: Writer, id: string, actor: string): Work<void> {
      const row = yield* expect(db, id);
      yield* putInTrash(db, recordTopic, id, printTrashedRecord(row), actor);
      yield* deleteRecord(db, id);
      yield* updateKeys(db, row, undefined);
      yield* updateTotals(db, row.type, undefined);
      yield* notifyChange(db, row, 'delete');
      if (row.embedding !== null) yield* embeddings.drop(db, id);
      yield* documents.drop(db, id);
      yield* documents.reindexEntities(db, id);
    },
    /** Removes it for good, without a copy and without a trace in the change log. */
    *erase(db: Writer, row: StoredRecordRow): Work<void> {
      yield* deleteRecord(db, row.record_id);
      yield* updateKeys(db, row, undefined);
      yield* updateTotals(db, row.type, undefined);
      if (row.embedding !== null) yield* embeddings.drop(db, row.record_id);
      yield* documents.erase(db, row.record_id);
    },
    /** Replaces properties and files. An embedding of the former text goes. */
    *rewrite(
      db: Writer,
      before: StoredRecordRow,
      properties: Properties,
      fileUrls: readonly string[],
    ): Work<StoredRecordRow> {
      if (before.embedding !== null) yield* embeddings.drop(db, before.record_id);
      return yield* updateWithIndexes(db, before, {
        ...before,
        updated_at: Math.max(db.now, before.updated_at),
        file_urls: JSON.stringify(fileUrls),
        embedding: null,
        properties: printProperties(properties),
      });
    },
    /** Returns a record that is not deleted unchanged. */
    *restore(db: Writer, id: string): Work<StoredRecordRow> {
      yield* lockRecord(db, id);
      const there = yield* findRecord(db, id);
      if (there !== undefined) return there;
      const row = yield* takeFromTrashOrFail(db, id);
      yield* insertWithIndexes(db, row);
      yield* documents.reindexEntities(db, id);
      return row;
    },
  };
}
