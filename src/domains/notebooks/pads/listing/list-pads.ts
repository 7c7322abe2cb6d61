import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import type { PadParts } from '../pad-parts.ts';
import { listTags } from '../tags/tag-store.ts';
import { choosePads } from './choose-pads.ts';
import type { ListedPadRow } from './pad-list-store.ts';

export interface ListInput {
  readonly namespaces?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ListAnswer {
  readonly ok: true;
  readonly scratchpads: readonly ListedPadRow[];
  readonly next_cursor?: string;
}

export interface TagsAnswer {
  readonly ok: true;
  readonly scratchpad_tags: readonly string[];
  readonly cell_tags: readonly string[];
  readonly truncated?: true;
}

const cursorState = z.object({ after: z.string() });

export function createListing({ storage, cursors }: Pick<PadParts, 'storage' | 'cursors'>) {
  function openCursor(cursor: string | undefined, call: Call): string {
    if (cursor === undefined) return '';
    const state = cursorState.safeParse(cursors.open(call.tool, call.tenant, cursor));
    if (!state.success) {
      throw faults.INVALID_PARAMS({ why: 'the cursor is of another version; begin again without it' });
    }
    return state.data.after;
  }

  async function list(input: ListInput, call: Call): Promise<ListAnswer> {
    const { namespaces = [], tags = [], limit = notebookLimits.listDefaultCount } = input;
    const after = openCursor(input.cursor, call);
    const filter = { namespaces: [...new Set(namespaces)], tags: [...new Set(tags)], after };
    const rows = await storage.read(call, (db) => choosePads(db, filter, limit + 1));
    const last = rows[limit - 1];
    if (rows.length <= limit || last === undefined) return { ok: true, scratchpads: rows };
    const next_cursor = cursors.seal(call.tool, call.tenant, { after: last.scratch_id });
    return { ok: true, scratchpads: rows.slice(0, limit), next_cursor };
  }

  async function allTags(input: Pick<ListInput, 'namespaces'>, call: Call): Promise<TagsAnswer> {
    const rows = await storage.read(call, function* (db) {
      return yield* listTags(db, input.namespaces ?? [], notebookLimits.tagTotalsCount + 1);
    });
    const shown = rows.slice(0, notebookLimits.tagTotalsCount);
    const ofKind = (wanted: string) => shown.filter(({ kind }) => kind === wanted).map(({ tag }) => tag);
    const answer = { ok: true, scratchpad_tags: ofKind('pad'), cell_tags: ofKind('cell') } as const;
    return rows.length > shown.length ? { ...answer, truncated: true } : answer;
  }

  return { list, tags: allTags };
}
