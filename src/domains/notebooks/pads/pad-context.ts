import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Log } from '#kernel/log/log.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { CellInput, LightPad } from '../notebook-model.ts';
import { createDocuments, type Documents, type MeaningNotes } from '../search/notebook-documents.ts';
import type { Validation } from '../validation/validation.ts';
import type { ValidationResult } from '../validation/validation-result.ts';
import { createEviction, type Eviction } from './eviction.ts';
import { createLastAccess, type LastAccess } from './last-access.ts';

export type EvictionPolicy = 'fail' | 'discard' | 'preempt';

/** 0 means no limit. */
export interface PadSettings {
  /** Per tenant. */
  readonly maxScratchpads: number;
  readonly maxCellsPerPad: number;
  readonly maxCellBytes: number;
  readonly evictionPolicy: EvictionPolicy;
  readonly preemptAgeMs: number;
  readonly preemptIntervalMs: number;
}

export interface PadDeps extends PadSettings, Pick<Validation, 'validateWritten'> {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly log: Log;
  readonly search: Pick<SearchIndex, 'put' | 'remove'>;
  readonly meaning: MeaningNotes;
  readonly cursors: Pick<Cursors, 'seal' | 'open'>;
  /** For the metrics. */
  onEvicted?(policy: EvictionPolicy, padsCount: number): void;
}

/** The notebook tools answer CONFIG_ERROR while the server shuts down (RULINGS R5). */
function toConfigError(error: unknown): never {
  if (error instanceof Fault && error.code === faults.SHUTTING_DOWN.kind.code) {
    throw faults.CONFIG_ERROR({ why: error.message }, { fix: error.fix }, { cause: error });
  }
  throw error;
}

export const toNotebookStorage = (storage: Storage): Storage => ({
  ...storage,
  read: (call, work) => storage.read(call, work).catch(toConfigError),
  write: (call, work) => storage.write(call, work).catch(toConfigError),
  flush: (call) => storage.flush(call).catch(toConfigError),
});

export interface WrittenPad {
  readonly scratchpad: LightPad;
  readonly padKey: string;
}

/** The dependencies that all operations on pads share. */
export interface PadContext extends PadDeps {
  readonly documents: Documents;
  readonly access: LastAccess;
  readonly eviction: Eviction;
  /** Validates those of the cells that ask for it; undefined when none does. `offset` is the index of the first cell. */
  validate(
    call: Call,
    written: WrittenPad,
    cells: readonly CellInput[],
    offset: number,
  ): Promise<readonly ValidationResult[] | undefined>;
}

export function createPadContext(deps: PadDeps): PadContext {
  const documents = createDocuments(deps);
  const access = createLastAccess(deps);
  return {
    ...deps,
    documents,
    access,
    eviction: createEviction({ ...deps, documents, access }),
    async validate(call, { scratchpad, padKey }, cells, offset) {
      const toValidate = cells.flatMap(({ language, content, validate, json_schema }, i) => {
        if (!validate) return [];
        const index = offset + i;
        // The cells of an answer are contiguous.
        const shown = scratchpad.cells[index - scratchpad.cells[0]!.index]!;
        const cell = { cell_id: shown.cell_id, index, language, content };
        return [json_schema === undefined ? cell : { ...cell, json_schema }];
      });
      return toValidate.length === 0 ? undefined : await deps.validateWritten(toValidate, padKey, call);
    },
  };
}
