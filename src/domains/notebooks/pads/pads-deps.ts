import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Log } from '#kernel/log/log.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { MeaningNotes } from '../search/documents.ts';
import type { WrittenCell } from '../validation/checks.ts';
import type { ValidationResult } from '../validators/result.ts';

export type EvictionPolicy = 'fail' | 'discard' | 'preempt';

export interface PadSettings {
  /** Of a tenant; 0 is no limit, here and below. */
  readonly maxScratchpads: number;
  readonly maxCellsPerPad: number;
  readonly maxCellBytes: number;
  readonly evictionPolicy: EvictionPolicy;
  readonly preemptAgeMs: number;
  readonly preemptIntervalMs: number;
}

export interface PadsDeps extends PadSettings {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly log: Log;
  readonly search: Pick<SearchIndex, 'put' | 'remove'>;
  readonly meaning: MeaningNotes;
  readonly cursors: Pick<Cursors, 'seal' | 'open'>;
  /** After the commit; what is wrong with a cell is told and never thrown. */
  checkWritten(cells: readonly WrittenCell[], padKey: string, call: Call): Promise<readonly ValidationResult[]>;
  /** For the metrics. */
  onEvicted?(policy: EvictionPolicy, padsCount: number): void;
}
