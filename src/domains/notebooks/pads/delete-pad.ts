import type { Call } from '#kernel/call.ts';
import { refuseMoved } from './expect-pad.ts';
import type { PadParts } from './pad-parts.ts';
import { takePad } from './removal/pad-trash-store.ts';
import { clearPad } from './removal/remove-pad.ts';

export interface DeleteInput {
  readonly scratch_id: string;
  readonly expected_revision?: number | undefined;
}

export interface DeleteAnswer {
  readonly ok: true;
  readonly scratch_id: string;
  readonly deleted: boolean;
}

export const createDeletion =
  ({ storage, documents }: PadParts) =>
  async ({ scratch_id, expected_revision }: DeleteInput, call: Call): Promise<DeleteAnswer> => {
    const deleted = await storage.write(call, function* (db) {
      const pad = yield* takePad(db, scratch_id);
      if (pad === undefined) return false;
      refuseMoved(scratch_id, pad.revision, expected_revision);
      yield* documents.drop(db, yield* clearPad(db, pad, 'delete', call.actor));
      return true;
    });
    return { ok: true, scratch_id, deleted };
  };
