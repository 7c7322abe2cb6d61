import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import type { PadParts } from '../pad-parts.ts';
import { listTags, tagRunsOf } from '../tags/tag-store.ts';
import {
  findPads,
  type IdRow,
  idsOfNamespace,
  idsOfTag,
  idsOfTagIn,
  type ListedPadRow,
  listPads,
  type PadFilter,
} from './pad-list-store.ts';

/** Ids in their order, from an index, as many as a page at most: the page costs the same however many pads there are. */
type Run = () => Work<readonly IdRow[]>;

const kinds = ['pad', 'cell'] as const;

/** The runs that hold the page together, or undefined when there are too many of them. */
function* toRuns(db: Reader, filter: PadFilter, limit: number): Work<readonly Run[] | undefined> {
  const { namespaces, tags, after } = filter;
  const most = notebookLimits.listRunsCount;
  if (namespaces.length > 0 && tags.length > 0) {
    const found = yield* tagRunsOf(db, namespaces, tags, most + 1);
    if (found.length > most) return undefined;
    return found.map((run) => () => idsOfTagIn(db, run, after, limit)[Symbol.iterator]());
  }
  if (namespaces.length + 2 * tags.length > most) return undefined;
  return [
    ...namespaces.map((namespace) => () => idsOfNamespace(db, namespace, after, limit)[Symbol.iterator]()),
    ...tags.flatMap((tag) => kinds.map((kind) => () => idsOfTag(db, tag, kind, after, limit)[Symbol.iterator]())),
  ];
}

function* mergeRuns(runs: readonly Run[], limit: number): Work<readonly string[]> {
  const ids = new Set<string>();
  for (const run of runs) for (const { scratch_id } of yield* run()) ids.add(scratch_id);
  return [...ids].sort().slice(0, limit);
}

/** The first pads by id that are in one of the namespaces, if any are named, and have one of the tags, if any are named. */
function* choosePads(db: Reader, filter: PadFilter, limit: number): Work<readonly ListedPadRow[]> {
  const isFiltered = filter.namespaces.length > 0 || filter.tags.length > 0;
  const runs = isFiltered ? yield* toRuns(db, filter, limit) : undefined;
  if (runs === undefined) return yield* listPads(db, filter, limit);
  const ids = yield* mergeRuns(runs, limit);
  return ids.length === 0 ? [] : yield* findPads(db, ids);
}

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
