import type { AdminRun } from './admin.ts';

/** Scratchpads in bulk, as files, and those that were deleted; what a single one needs are tools. */
export interface NotebookAdmin {
  export(
    options: {
      readonly to: string;
      readonly format: 'md' | 'ipynb';
      readonly ids: readonly string[] | undefined;
      readonly namespaces: readonly string[] | undefined;
      readonly tags: readonly string[] | undefined;
      readonly force: boolean;
      readonly dryRun: boolean;
      readonly tenant: string;
    },
    run: AdminRun,
  ): Promise<object>;
  import(
    options: {
      readonly paths: readonly string[];
      readonly mode: 'skip' | 'overwrite';
      readonly namespace: string | undefined;
      readonly format: 'md' | 'ipynb' | undefined;
      readonly dryRun: boolean;
      readonly tenant: string;
    },
    run: AdminRun,
  ): Promise<object>;
  list(
    options: {
      readonly namespaces: readonly string[] | undefined;
      readonly tags: readonly string[] | undefined;
      readonly limit: number;
      readonly tenant: string;
    },
    run: AdminRun,
  ): Promise<object>;
  /** Counts lists, tags and limits anew; answers what was wrong. */
  recount(options: { readonly tenant: string }, run: AdminRun): Promise<object>;
  /** Deleted, reset and evicted ones that can still come back, newest first. */
  trash(options: { readonly limit: number; readonly tenant: string }, run: AdminRun): Promise<object>;
  restore(
    options: {
      readonly id: string;
      readonly as: string | undefined;
      readonly copy: string | undefined;
      readonly tenant: string;
    },
    run: AdminRun,
  ): Promise<object>;
}
