import type { Call } from '#kernel/call.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { EntityDocuments } from '../entities/search/entity-documents.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { listDuplicates } from './list-duplicates.ts';
import { mergeGroups, previewMerge } from './merge-groups.ts';
import type { DuplicatesInput, MergePair } from './merge-model.ts';
import { previewUnmerge, unmergeGroup } from './unmerge-group.ts';

export interface MergesDeps extends Pick<TruthDeps, 'storage'>, SchemaDeps {
  readonly cursors: Cursors;
  readonly entityDocuments?: Pick<EntityDocuments, 'reindex' | 'awaitQueued'> | undefined;
}

export type Merges = ReturnType<typeof createMerges>;

export function createMerges({ storage, schemas, cursors, entityDocuments }: MergesDeps) {
  const deps = { schemas };

  /** [TR80] In the same transaction, after the groups have changed. */
  function* indexed<T>(db: Writer, { source_entity_id, target_entity_id }: MergePair, work: Work<T>): Work<T> {
    const answer = yield* work;
    if (entityDocuments !== undefined) yield* entityDocuments.reindex(db, [source_entity_id, target_entity_id]);
    return answer;
  }

  return {
    merge: (input: MergePair, call: Call) =>
      input.dry_run
        ? storage.read(call, (db) => previewMerge(db, input))
        : storage.write(call, (db) => indexed(db, input, mergeGroups(db, deps, input, call.actor))),
    unmerge: (input: MergePair, call: Call) =>
      input.dry_run
        ? storage.read(call, (db) => previewUnmerge(db, input))
        : storage.write(call, (db) => indexed(db, input, unmergeGroup(db, deps, input, call.actor))),
    async duplicates(input: DuplicatesInput, call: Call) {
      // The similar names of a bulk write are derived with the index.
      await entityDocuments?.awaitQueued(call);
      return storage.read(call, (db) => listDuplicates(db, cursors, input));
    },
  };
}
