import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { cursorFix } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Step, Work } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { PadContext } from './pad-context.ts';
import {
  type DetailedPadRow,
  findPads,
  type IdRow,
  type ListedPadRow,
  listIdsOfNamespace,
  listIdsOfNamespaceTag,
  listIdsOfTag,
  listPads,
  type PadFilter,
} from './pad-list-store.ts';
import { findNamespaceTags, listTags } from './tag-store.ts';

/** Reads the ids of one page from an index range, so its cost does not depend on the number of pads. */
type IdQuery = () => Step<readonly IdRow[]>;

const kinds = ['pad', 'cell'] as const;

/** The queries that together cover a page; undefined when they would be too many. */
function* toIdQueries(db: Reader, filter: PadFilter, limit: number): Work<readonly IdQuery[] | undefined> {
  const { namespaces, tags, after } = filter;
  const most = notebookLimits.listQueriesCount;
  if (namespaces.length > 0 && tags.length > 0) {
    const found = yield* findNamespaceTags(db, namespaces, tags, most + 1);
    if (found.length > most) return undefined;
    return found.map((tag) => () => listIdsOfNamespaceTag(db, tag, after, limit));
  }
  if (namespaces.length + 2 * tags.length > most) return undefined;
  return [
    ...namespaces.map((namespace) => () => listIdsOfNamespace(db, namespace, after, limit)),
    ...tags.flatMap((tag) => kinds.map((kind) => () => listIdsOfTag(db, tag, kind, after, limit))),
  ];
}

function* mergeIds(queries: readonly IdQuery[], limit: number): Work<readonly string[]> {
  const ids = new Set<string>();
  for (const query of queries) for (const { scratch_id } of yield* query()) ids.add(scratch_id);
  return [...ids].sort().slice(0, limit);
}

/** The first pads by id in any of the namespaces and with any of the tags. An empty list does not filter. */
function* findPage(db: Reader, filter: PadFilter, limit: number): Work<readonly DetailedPadRow[]> {
  const isFiltered = filter.namespaces.length > 0 || filter.tags.length > 0;
  const queries = isFiltered ? yield* toIdQueries(db, filter, limit) : undefined;
  if (queries === undefined) return yield* listPads(db, filter, limit);
  const ids = yield* mergeIds(queries, limit);
  return ids.length === 0 ? [] : yield* findPads(db, ids);
}

export interface ListInput {
  readonly namespaces?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly include_details?: boolean | undefined;
  readonly cursor?: string | undefined;
}

export interface ListAnswer {
  readonly ok: true;
  readonly scratchpads: readonly (ListedPadRow & { readonly tags?: readonly string[]; readonly updated_at?: string })[];
  readonly next_cursor?: string;
}

export interface TagsAnswer {
  readonly ok: true;
  readonly scratchpad_tags: readonly string[];
  readonly cell_tags: readonly string[];
  readonly truncated?: true;
}

const withoutDetails = ({ tags: _tags, updated_at: _at, ...pad }: DetailedPadRow): ListedPadRow => pad;
const withDetails = (pad: DetailedPadRow) => ({ ...pad, updated_at: toIso(pad.updated_at) });

const cursorState = z.object({ after: z.string() });

export function createPadListing({ storage, cursors }: Pick<PadContext, 'storage' | 'cursors'>) {
  function openCursor(cursor: string | undefined, call: Call): string {
    if (cursor === undefined) return '';
    const state = cursorState.safeParse(cursors.open(call.tool, call.tenant, cursor));
    if (!state.success) {
      throw faults.INVALID_PARAMS({ why: 'the cursor is from another version' }, { field: 'cursor', fix: cursorFix });
    }
    return state.data.after;
  }

  async function list(input: ListInput, call: Call): Promise<ListAnswer> {
    const { namespaces = [], tags = [], limit = notebookLimits.listDefaultCount } = input;
    const after = openCursor(input.cursor, call);
    const filter = { namespaces: [...new Set(namespaces)], tags: [...new Set(tags)], after };
    const rows = await storage.read(call, (db) => findPage(db, filter, limit + 1));
    const last = rows[limit - 1];
    const shown = rows.slice(0, limit);
    const scratchpads = input.include_details === true ? shown.map(withDetails) : shown.map(withoutDetails);
    if (rows.length <= limit || last === undefined) return { ok: true, scratchpads };
    const next_cursor = cursors.seal(call.tool, call.tenant, { after: last.scratch_id });
    return { ok: true, scratchpads, next_cursor };
  }

  async function listAllTags(input: Pick<ListInput, 'namespaces'>, call: Call): Promise<TagsAnswer> {
    const rows = await storage.read(call, (db) =>
      listTags(db, input.namespaces ?? [], notebookLimits.tagTotalsCount + 1),
    );
    const shown = rows.slice(0, notebookLimits.tagTotalsCount);
    const ofKind = (wanted: string) => shown.filter(({ kind }) => kind === wanted).map(({ tag }) => tag);
    const answer = { ok: true, scratchpad_tags: ofKind('pad'), cell_tags: ofKind('cell') } as const;
    return rows.length > shown.length ? { ...answer, truncated: true } : answer;
  }

  return { list, tags: listAllTags };
}
