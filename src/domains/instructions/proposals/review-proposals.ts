import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { cutText } from '#kernel/fault/bound-fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { fitPage } from '#kernel/text/budget.ts';
import { foldCase } from '#kernel/text/normalise.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { compareEntries } from '../history/compare-entries.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { ProposalsAnswer, ProposalsInput, ShownProposal } from '../tools/instructions-proposals.ts';
import {
  findProposal,
  listProposals,
  newestPosition,
  type ProposalFilter,
  type ProposalPosition,
  type ProposalRow,
} from './proposal-store.ts';
import type { ProposalsDeps } from './proposals-deps.ts';
import { parseProposal, withFields } from './proposed-fields.ts';

const dayMs = 86_400_000;
const cursorState = z.object({ at: z.number(), proposalId: z.string() });

const whatOf = ({ base_document, document }: ProposalRow): 'create' | 'update' | 'delete' =>
  document === null ? 'delete' : base_document === null ? 'create' : 'update';

export async function loadProposal({ storage }: ProposalsDeps, call: Call, proposalId: string): Promise<ProposalRow> {
  const row = await storage.read(call, (db) => findProposal(db, proposalId));
  if (row !== undefined) return row;
  throw faults.NOT_FOUND(
    { what: `proposal ${proposalId}; instructions/proposals lists them` },
    { proposal_id: proposalId, fix: 'instructions/proposals lists the open proposals with their ids.' },
  );
}

function readProposal(row: ProposalRow, canonicalOff: boolean) {
  const { base, fields } = parseProposal(row, canonicalOff);
  return { base, proposed: fields === undefined ? undefined : withFields(base, fields) };
}

/** What it would change. */
export function describeProposal(row: ProposalRow, canonicalOff: boolean) {
  const { base, proposed } = readProposal(row, canonicalOff);
  const { changes, bodyDiff } = compareEntries(base, proposed);
  // The fields of a removed rule say nothing more.
  const title = (base ?? proposed)?.title;
  return { what: whatOf(row), title, diff: bodyDiff, changes: proposed === undefined ? {} : changes };
}

/** What a reviewer of an outdated proposal compares. */
export function textsOf(row: ProposalRow, present: InstructionEntry | undefined, canonicalOff: boolean) {
  const { base, proposed } = readProposal(row, canonicalOff);
  return { base: base?.body ?? null, current: present?.body ?? null, proposed: proposed?.body ?? null };
}

function cutDiff(item: ShownProposal): ShownProposal {
  const { listedDiffChars } = instructionLimits;
  const isLong = item.diff.length > listedDiffChars;
  return isLong ? { ...item, diff: cutText(item.diff, listedDiffChars), truncated: true } : item;
}

const wordsOf = (query: string): readonly string[] =>
  foldCase(query)
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, instructionLimits.proposalWordsCount);

/** In code, because the engines fold letters differently. */
function containsAll(row: ProposalRow, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { id, author, reason, document, base_document } = row;
  const text = foldCase([id, author, reason, document ?? base_document].join(' '));
  return words.every((word) => text.includes(word));
}

/** Newest first, up to a number of matches. */
function* listMatching(
  db: Reader,
  filter: ProposalFilter,
  words: readonly string[],
  before: ProposalPosition,
  limit: number,
): Work<readonly ProposalRow[]> {
  const found: ProposalRow[] = [];
  for (let at = before; ; ) {
    const rows = yield* listProposals(db, filter, at, instructionLimits.proposalsPageCount);
    found.push(...rows.filter((row) => containsAll(row, words)));
    const last = rows.at(-1);
    if (found.length >= limit || last === undefined || rows.length < instructionLimits.proposalsPageCount) break;
    at = { at: last.created_at, proposalId: last.proposal_id };
  }
  return found.slice(0, limit);
}

export function createListProposals(deps: ProposalsDeps) {
  const { storage, catalog, clock, cursors, canonicalOff } = deps;

  function show(row: ProposalRow, present: { readonly etag: string } | undefined): ShownProposal {
    return {
      proposal_id: row.proposal_id,
      id: row.id,
      state: row.state,
      by: row.author,
      at: toIso(row.created_at),
      ageDays: Math.max(0, Math.floor((clock.now() - row.created_at) / dayMs)),
      tool: row.tool,
      ...(row.reason !== null && { reason: row.reason }),
      ...(row.state === 'pending' && { stale: (present?.etag ?? null) !== row.base_etag }),
      ...describeProposal(row, canonicalOff),
      ...(row.decided_by !== null && { decidedBy: row.decided_by }),
      ...(row.decided_at !== null && { decidedAt: toIso(row.decided_at) }),
      ...(row.decision !== null && { decision: row.decision }),
    };
  }

  /** Only as many as fit the page: comparing long texts takes time. */
  function* showAll(rows: readonly ProposalRow[], present: CatalogState) {
    for (const row of rows) yield cutDiff(show(row, present.find(row.id)));
  }

  async function showOne(proposalId: string, call: Call): Promise<ProposalsAnswer> {
    const row = await loadProposal(deps, call, proposalId);
    const { found } = await catalog.lookUp(call, row.id);
    return { count: 1, items: [{ ...show(row, found), texts: textsOf(row, found?.entry, canonicalOff) }] };
  }

  return async (input: ProposalsInput, call: Call): Promise<ProposalsAnswer> => {
    if (input.proposal_id !== undefined) return showOne(input.proposal_id, call);
    const { limit, cursor, query = '' } = input;
    const before =
      cursor === undefined ? newestPosition : cursorState.parse(cursors.open(call.tool, call.tenant, cursor));
    const state = input.state === 'all' ? undefined : input.state;
    const [rows, present] = await Promise.all([
      storage.read(call, (db) => listMatching(db, { id: input.id, state }, wordsOf(query), before, limit + 1)),
      catalog.state(call),
    ]);
    const { items } = fitPage(showAll(rows.slice(0, limit), present));
    const last = rows[items.length - 1];
    const hasMore = rows.length > items.length && last !== undefined;
    return {
      count: items.length,
      items,
      ...(hasMore && {
        nextCursor: cursors.seal(call.tool, call.tenant, { at: last.created_at, proposalId: last.proposal_id }),
      }),
    };
  };
}
