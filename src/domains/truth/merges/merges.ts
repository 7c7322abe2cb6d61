import type { Call } from '#kernel/call.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { listDuplicates } from './list-duplicates.ts';
import { mergeGroups, previewMerge } from './merge-groups.ts';
import type { DuplicatesInput, MergePair } from './merge-model.ts';
import { previewUnmerge, unmergeGroup } from './unmerge-group.ts';

export interface MergesDeps extends Pick<TruthDeps, 'storage'>, SchemaDeps {
  readonly cursors: Cursors;
}

export type Merges = ReturnType<typeof createMerges>;

export function createMerges({ storage, schemas, cursors }: MergesDeps) {
  const deps = { schemas };
  return {
    merge: (input: MergePair, call: Call) =>
      input.dry_run
        ? storage.read(call, (db) => previewMerge(db, input))
        : storage.write(call, (db) => mergeGroups(db, deps, input, call.actor)),
    unmerge: (input: MergePair, call: Call) =>
      input.dry_run
        ? storage.read(call, (db) => previewUnmerge(db, input))
        : storage.write(call, (db) => unmergeGroup(db, deps, input, call.actor)),
    duplicates: (input: DuplicatesInput, call: Call) => storage.read(call, (db) => listDuplicates(db, cursors, input)),
  };
}
