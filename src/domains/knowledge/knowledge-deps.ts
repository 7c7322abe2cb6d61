import type { Clock } from '#kernel/clock/clock.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';

/** What most rooms need. A room that needs more names it itself, in its own `…Deps`. */
export interface KnowledgeDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}
