import { Fault } from '#kernel/fault/fault.ts';

export interface NotePlace {
  readonly scratchId: string;
  readonly cellId: string;
}

interface Change {
  readonly action: string;
  readonly to_scratch_id?: string;
}

type AskNotebooks = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** A note that moves around in circles is not followed for ever. */
const movesMax = 10;

const missingCodes: ReadonlySet<string> = new Set(['NOT_FOUND', 'INVALID_ID']);

export const isMissingNote = (error: unknown): boolean => error instanceof Fault && missingCodes.has(error.code);

async function isThere({ scratchId, cellId }: NotePlace, ask: AskNotebooks): Promise<boolean> {
  try {
    await ask('scratch_read', { scratch_id: scratchId, cell_ids: [cellId] });
    return true;
  } catch (error) {
    if (isMissingNote(error)) return false;
    throw error;
  }
}

/** Where a note is now: its pad, or the one that it was moved to. Undefined if it was deleted. */
export async function findMovedNote(place: NotePlace, ask: AskNotebooks): Promise<NotePlace | undefined> {
  let at = place;
  for (let moves = 0; moves < movesMax; moves += 1) {
    if (await isThere(at, ask)) return at;
    const history = ask('scratch_history', { scratch_id: at.scratchId, cell_id: at.cellId, limit: 1 });
    const { changes } = (await history.catch((error: unknown) => {
      if (isMissingNote(error)) return { changes: [] };
      throw error;
    })) as { readonly changes: readonly Change[] };
    const to = changes[0]?.to_scratch_id;
    if (to === undefined) return undefined;
    at = { ...at, scratchId: to };
  }
  return undefined;
}
