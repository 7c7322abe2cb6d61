import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Sink } from './entry-source.ts';
import type { OwnCalls } from './own-call.ts';
import type { Indexes } from './tell-indexes.ts';

/** What every source of entries is made of. */
export interface SourceDeps extends Indexes {
  readonly tenant: TenantId;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly sink: Sink;
  readonly calls: OwnCalls;
  readonly canonicalOff: boolean;
  /** Aborts when the catalog is closed. */
  readonly closing: AbortSignal;
}
