import type { Ask } from '#kernel/tool/resource.ts';
import type { Told } from './plan-import.ts';

/** Everything in bulk goes through the one door too: gate, scope, audit and metrics are those of the tools it asks. */
export interface BulkDeps {
  readonly ask: Ask;
  readonly progress: Told;
  readonly signal?: AbortSignal | undefined;
}
