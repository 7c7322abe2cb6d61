import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Patterns } from '#kernel/pattern/patterns.ts';
import type { Card } from '#kernel/tool/card.ts';
import type { Permits } from '#kernel/tool/gate.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import type { Catalog } from '../catalog/catalog.ts';

export interface UsageCount {
  readonly usageCount: number;
  readonly lastUsedAt?: string | undefined;
}

export interface DriftSnapshot {
  readonly items: readonly { readonly id: string; readonly sourceHash: string }[];
}

/** The nearest by meaning, best first. */
export interface EmbeddedSearch {
  nearest(call: Call, text: string, limit: number): Promise<readonly { readonly id: string }[]>;
}

export interface ReadsDeps {
  readonly catalog: Catalog;
  readonly usage: {
    /** Those that were never used are left out. */
    countsOf(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, UsageCount>>;
  };
  readonly patterns?: Patterns;
  readonly embeddings?: EmbeddedSearch;
  /** Made at first use, as the keys are. */
  readonly cursors: () => Cursors;
  readonly clock: Clock;
  readonly version: string;
  readonly protocolVersion: string;
  readonly permits: Permits;
  readonly meter: ToolMeter;
  /** Every tool of the program: the actions are those called `instructions/…`. */
  readonly cards: readonly Pick<Card, 'name'>[];
  /** GOV_HASH_TRAILING_NEWLINE. */
  readonly govTrailingNewline: boolean;
  isUsageOn(): boolean;
  trace(category: string, fields: Readonly<Record<string, unknown>>): void;
  /** Adds one to a counter that `feature/status` shows. */
  count(counter: string): void;
  diskUsage?(): Promise<{ readonly totalSize: number; readonly availableSpace: number }>;
  /** `snapshots/canonical-instructions.json`. */
  readSnapshot(call: Call): Promise<DriftSnapshot | 'missing' | 'invalid'>;
}
