import type { Call } from '#kernel/call.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { listDuplicates } from './list-duplicates.ts';
import { mergeGroups, previewMerge } from './merge-groups.ts';
import type { DuplicatesAnswer, DuplicatesInput, MergeAnswer, MergePair, UnmergeAnswer } from './merge-model.ts';
import { previewUnmerge, unmergeGroup } from './unmerge-group.ts';

export interface MergesDeps extends Pick<TruthDeps, 'storage'>, SchemaDeps {
  readonly cursors: Cursors;
}

export interface Merges {
  merge(input: MergePair, call: Call): Promise<MergeAnswer>;
  unmerge(input: MergePair, call: Call): Promise<UnmergeAnswer>;
  duplicates(input: DuplicatesInput, call: Call): Promise<DuplicatesAnswer>;
}

export function createMerges({ storage, schemas, cursors }: MergesDeps): Merges {
  const deps = { schemas };
  return {
    merge: (input, call) =>
      input.dry_run
        ? storage.read(call, (db) => previewMerge(db, input))
        : storage.write(call, (db) => mergeGroups(db, deps, input, call.actor)),
    unmerge: (input, call) =>
      input.dry_run
        ? storage.read(call, (db) => previewUnmerge(db, input))
        : storage.write(call, (db) => unmergeGroup(db, deps, input)),
    duplicates: (input, call) => storage.read(call, (db) => listDuplicates(db, cursors, input)),
  };
}
