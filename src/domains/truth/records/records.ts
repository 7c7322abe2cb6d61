import type { Call } from '#kernel/call.ts';
import { createRecordReader } from './read-record.ts';
import { createIndexRebuild } from './rebuild-record-indexes.ts';
import { type StoreInput, toRecordView } from './record.ts';
import { createRecordDocuments, provideDocuments, type RecordsDeps } from './record-documents.ts';
import { createRecordEmbeddings } from './record-embeddings.ts';
import { createRetrieval } from './retrieve-records.ts';
import { toVector } from './rules/embedding.ts';
import { checkProperties, printProperties } from './rules/properties.ts';
import { createRecordWriter } from './write-record.ts';

export type UpdateInput = { readonly id: string } & {
  readonly [Key in keyof StoreInput]?: StoreInput[Key] | undefined;
};

const toEmbedding = (embedding: readonly number[] | undefined): Float32Array | undefined =>
  embedding === undefined ? undefined : toVector(embedding, 'embedding');

export type Records = ReturnType<typeof createRecords>;

/** The deprecated way to store things, before payloads. */
export function createRecords(deps: RecordsDeps) {
  const { storage, ids } = deps;
  const embeddings = createRecordEmbeddings(deps);
  const writer = createRecordWriter(createRecordDocuments(deps), embeddings);
  provideDocuments(deps);

  return {
    async store(input: StoreInput, call: Call) {
      const draft = {
        id: ids.uuid(),
        type: input.type,
        properties: checkProperties(input.properties),
        fileUrls: input.file_urls ?? [],
        embedding: toEmbedding(input.embedding),
      };
      // Checks the size before the transaction starts.
      printProperties(draft.properties);
      return storage.write(call, function* (db) {
        return toRecordView(yield* writer.insert(db, draft));
      });
    },
    /** RECORD_NOT_FOUND if it does not exist; also below. */
    async update({ id, type, properties, file_urls, embedding }: UpdateInput, call: Call) {
      const changes = {
        type,
        properties: properties === undefined ? undefined : checkProperties(properties),
        fileUrls: file_urls,
        embedding: toEmbedding(embedding),
      };
      return storage.write(call, function* (db) {
        return toRecordView(yield* writer.change(db, id, changes));
      });
    },
    retrieve: createRetrieval(deps, embeddings),
    read: createRecordReader(deps),
    /** Moves it to the trash. */
    async delete({ id }: { readonly id: string }, call: Call) {
      await storage.write(call, (db) => writer.remove(db, id, call.actor));
      await embeddings.tidy(call).catch((error: unknown) => {
        deps.log.warn(
          { reason: String(error) },
          'could not clean up deleted embeddings; will retry after later deletions',
        );
      });
      return { success: true as const, deleted_id: id };
    },
    restore: ({ id }: { readonly id: string }, call: Call) =>
      storage.write(call, function* (db) {
        const record = { items: [{ kind: 'record' as const, value: id }], observedAt: 0 };
        if (db.forgottenAt > 0 && deps.tombstones !== undefined) {
          yield* deps.tombstones.refuseForgotten(db, [], [record]);
        }
        return toRecordView(yield* writer.restore(db, id));
      }),
    /** For callers with their own transaction. */
    writer,
    /** Rebuilds filters and search indexes after rows were imported directly. Returns the number of records. */
    rebuildIndexes: createIndexRebuild({ storage, embeddings }),
  };
}
