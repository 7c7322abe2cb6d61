import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Repeats } from './repeats.ts';

/** What a change of the catalog was, for the mutation log. */
export interface Mutation {
  readonly action: string;
  readonly ids: readonly string[];
}

export interface DiffInput {
  readonly clientHash?: string | undefined;
  readonly known?: readonly { readonly id: string; readonly sourceHash: string }[] | undefined;
}

export interface WritesDeps {
  readonly catalog: Catalog;
  readonly repeats: Repeats;
  readonly clock: Clock;
  readonly cursors: Cursors;
  /** An add of an id that is there is refused, not skipped. */
  readonly strictCreate: boolean;
  /** A remove that names one missing id removes nothing. */
  readonly strictRemove: boolean;
  readonly canonicalOff: boolean;
  /** Who writes, as MCP_AGENT_ID says. */
  readonly agentId?: string;
  readonly workspace?: string;
  /** The owners that owners.json names for these ids. */
  owners(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  diff(call: Call, input: DiffInput): Promise<object>;
  /** Forgets the usage of entries that are gone; answers how many there were. */
  pruneUsage?(call: Call, ids: readonly string[]): Promise<number>;
  onMutation?(call: Call, mutation: Mutation): void;
}
