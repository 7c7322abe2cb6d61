import type { Ask } from '#kernel/tool/resource.ts';

/** Everything in bulk goes through the one door too: scope, tenant, limits, audit and metrics are those of the tools it asks. */
export interface BulkDeps {
  readonly ask: Ask;
  readonly progress: (done: number, total: number | undefined, message: string) => void;
  readonly signal?: AbortSignal | undefined;
}
