import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { CellInput, LightPad } from '../notebook-model.ts';
import { createDocuments, type Documents } from '../search/documents.ts';
import type { ValidationResult } from '../validators/result.ts';
import { type Access, createAccess } from './access/flush-access.ts';
import type { PadsDeps } from './pads-deps.ts';
import { createEviction, type Eviction } from './removal/evict.ts';

/** This family says CONFIG_ERROR where others say that the server is shutting down (RULINGS R5). */
function retell(error: unknown): never {
  if (error instanceof Fault && error.code === faults.SHUTTING_DOWN.kind.code) {
    throw faults.CONFIG_ERROR({ why: error.message }, {}, { cause: error });
  }
  throw error;
}

const toNotebookStorage = (storage: Storage): Storage => ({
  ...storage,
  read: (call, work) => storage.read(call, work).catch(retell),
  write: (call, work) => storage.write(call, work).catch(retell),
  flush: (call) => storage.flush(call).catch(retell),
});

/** What a write of a pad knows when it is over. */
export interface WrittenPad {
  readonly scratchpad: LightPad;
  readonly padKey: string;
}

/** What every use of pads works with. */
export interface PadParts extends PadsDeps {
  readonly documents: Documents;
  readonly access: Access;
  readonly eviction: Eviction;
  /** Of the cells that ask for it; they stand in the pad from `offset` on. Undefined when none asks. */
  validate(
    call: Call,
    written: WrittenPad,
    cells: readonly CellInput[],
    offset: number,
  ): Promise<readonly ValidationResult[] | undefined>;
}

export function createPadParts(given: PadsDeps): PadParts {
  const deps = { ...given, storage: toNotebookStorage(given.storage) };
  const documents = createDocuments(deps);
  const access = createAccess(deps);
  return {
    ...deps,
    documents,
    access,
    eviction: createEviction({ ...deps, documents, access }),
    async validate(call, { scratchpad, padKey }, cells, offset) {
      const asked = cells.flatMap(({ language, content, validate, json_schema }, i) => {
        if (!validate) return [];
        const index = offset + i;
        const cell = { cell_id: scratchpad.cells[index]!.cell_id, index, language, content };
        return [json_schema === undefined ? cell : { ...cell, json_schema }];
      });
      return asked.length === 0 ? undefined : await deps.checkWritten(asked, padKey, call);
    },
  };
}
