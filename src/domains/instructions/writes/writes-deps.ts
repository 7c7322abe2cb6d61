import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Propose } from '../proposals/record-proposals.ts';
import type { DiffInput } from '../reads/diff-catalog.ts';
import type { RemovedRule } from '../rules/plan-sync.ts';
import type { Idempotency } from './idempotency.ts';

export interface Mutation {
  readonly action: string;
  readonly ids: readonly string[];
}

export interface WritesDeps {
  readonly catalog: Catalog;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  readonly cursors: Cursors;
  /** Adding an existing id is an error instead of skipped, and so is an overwrite of a missing one. */
  readonly strictCreate: boolean;
  /** A removal with a missing id removes nothing. */
  readonly strictRemove: boolean;
  readonly canonicalOff: boolean;
  /** MCP_AGENT_ID. */
  readonly agentId?: string;
  readonly workspace?: string;
  /** The owners that owners.json names for these ids. */
  owners(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  diff(call: Call, input: DiffInput): Promise<object>;
  /** Deletes the usage of removed entries and returns their number. */
  pruneUsage?(call: Call, ids: readonly string[]): Promise<number>;
  /** For callers without the scope admin: an admin makes the changes by approving them. */
  readonly propose: Propose;
  /** The imported rules that somebody removed. */
  removedRules(call: Call): Promise<readonly RemovedRule[]>;
  onMutation?(call: Call, mutation: Mutation): void;
}
