import type { Clock } from '#kernel/clock/clock.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';

/** The dependencies of most parts; parts that need more define their own `…Deps`. */
export interface TruthDeps {
  /** Throws the faults of this domain: see `toTruthStorage`. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}
