import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { cutText } from '#kernel/fault/bound-fault.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { ApproveAnswer, ApproveInput } from '../tools/instructions-approve.ts';
import type { RejectAnswer, RejectInput } from '../tools/instructions-reject.ts';
import { withStepKey } from '../writes/idempotency.ts';
import { assertReadBack } from '../writes/prepare-entry.ts';
import {
  closeProposal,
  listPendingOf,
  lockProposals,
  type ProposalRow,
  type ProposalState,
  reopenWithdrawn,
} from './proposal-store.ts';
import { lookUpEntry, type ProposalsDeps, prepareChecked } from './proposals-deps.ts';
import { type ProposedChange, parseProposal, toApprovedInput } from './proposed-fields.ts';
import { checkPending } from './record-proposals.ts';
import { loadProposal, textsOf } from './review-proposals.ts';

function decidedFault({ proposal_id, state, decided_by, decided_at }: ProposalRow): Fault {
  const decidedAt = toIso(decided_at ?? 0);
  const why = `the proposal ${proposal_id} was ${state} by ${decided_by ?? ''} at ${decidedAt}; propose the change again`;
  const fix = 'instructions/proposals lists the open proposals; instructions/propose makes a new one.';
  return faults.CONFLICT({ why }, { proposal_id, state, decidedBy: decided_by, decidedAt, fix });
}

const cut = (text: string | null): string | null =>
  text === null ? null : cutText(text, instructionLimits.conflictTextChars);

function staleFault(row: ProposalRow, present: InstructionEntry | undefined, canonicalOff: boolean): Fault {
  const { proposal_id, id } = row;
  const { base, current, proposed } = textsOf(row, present, canonicalOff);
  const why =
    present === undefined
      ? `${id} was removed after the proposal: reject it, or propose the rule again`
      : `${id} has changed since the proposal: compare base, current and proposed, then approve with rebase: true, ` +
        'which sets the proposed fields of the current rule, or propose again';
  const texts = { base: cut(base), current: cut(current), proposed: cut(proposed) };
  const fix =
    present === undefined
      ? `instructions/reject {"proposal_id": "${proposal_id}"}, or instructions/propose the rule again.`
      : `Compare details.base, details.current and details.proposed, then instructions/approve {"proposal_id": "${proposal_id}", "rebase": true}, or propose again.`;
  return faults.CONFLICT({ why }, { proposal_id, id, ...texts, fix });
}

const isStale = ({ base_etag }: ProposalRow, present: { readonly etag: string } | undefined): boolean =>
  (present?.etag ?? null) !== base_etag;

/** The proposed fields as the approver wants them. */
function withEdit(
  { proposal_id, document }: ProposalRow,
  change: ProposedChange,
  edit: NonNullable<ApproveInput['edit']>,
): ProposedChange {
  if (document === null) {
    throw faults.VALIDATION_ERROR({ why: 'a proposal to remove a rule has no text to edit' }, { proposal_id });
  }
  return { ...change, fields: { ...change.fields, ...edit } };
}

/** Closes it without making the change. CONFLICT if it is decided already. */
export async function closeOpen(
  deps: ProposalsDeps,
  call: Call,
  { proposal_id: proposalId }: ProposalRow,
  state: ProposalState,
  reason: string | null,
): Promise<void> {
  const isClosed = await deps.storage.write(withStepKey(call, state), (db) =>
    closeProposal(db, proposalId, { state, by: call.actor, reason }),
  );
  if (!isClosed) throw decidedFault(await loadProposal(deps, call, proposalId));
}

/**
 * Makes a withdrawn proposal wait again. Returns the id of an equal one that waits already, if there is one. CONFLICT if
 * it was decided.
 */
export async function reopen(deps: ProposalsDeps, call: Call, row: ProposalRow): Promise<string> {
  const { proposal_id: proposalId, id, fingerprint } = row;
  const opened = await deps.storage.write(withStepKey(call, 'reopened'), function* (db) {
    yield* lockProposals(db);
    const equal = (yield* listPendingOf(db, [id])).find((one) => one.fingerprint === fingerprint);
    if (equal !== undefined) return equal.proposal_id;
    yield* checkPending(db, 1);
    return (yield* reopenWithdrawn(db, proposalId)) ? proposalId : undefined;
  });
  if (opened === undefined) throw decidedFault(await loadProposal(deps, call, proposalId));
  return opened;
}

export function createReject(deps: ProposalsDeps) {
  return async ({ proposal_id: proposalId, reason }: RejectInput, call: Call): Promise<RejectAnswer> => {
    const row = await loadProposal(deps, call, proposalId);
    const already = row.state === 'rejected';
    if (!already) await closeOpen(deps, call, row, 'rejected', reason);
    return { rejected: true, already, proposal_id: proposalId, id: row.id, proposedBy: row.author };
  };
}

export function createApprove(deps: ProposalsDeps) {
  const { catalog, clock, canonicalOff } = deps;

  async function answer(call: Call, proposalId: string, already: boolean): Promise<ApproveAnswer> {
    const row = await loadProposal(deps, call, proposalId);
    if (row.state !== 'approved') throw decidedFault(row);
    const [{ found }, { hash }] = await Promise.all([catalog.lookUp(call, row.id), catalog.state(call)]);
    return {
      approved: true,
      already,
      proposal_id: proposalId,
      id: row.id,
      proposedBy: row.author,
      approvedBy: row.decided_by ?? '',
      approvedAt: toIso(row.decided_at ?? 0),
      ...(found !== undefined && { version: found.entry.version, sourceHash: found.entry.sourceHash }),
      hash,
    };
  }

  /** The change and the end of the proposal are one commit, so that neither is done twice or without the other. */
  async function apply(call: Call, row: ProposalRow, { rebase, reason, edit }: ApproveInput): Promise<void> {
    const found = await lookUpEntry(deps, call, row.id);
    const present = found?.entry;
    const stale = isStale(row, found);
    if (stale && (!rebase || found === undefined)) throw staleFault(row, present, canonicalOff);
    const proposed = parseProposal(row, canonicalOff);
    const change = edit === undefined ? proposed : withEdit(row, proposed, edit);
    const input = toApprovedInput(row, change, found, toIso(clock.now()));
    const dropsFields = Object.values(change.fields ?? {}).includes(null);
    const after = row.document === null ? null : await prepareChecked(deps, call, input, present, dropsFields);
    const { id, author, proposal_id: proposalId } = row;
    const proposal = { proposalId, author, reason: row.reason, decision: reason ?? null };
    const approved = { id, before: found?.etag ?? null, after, proposal };
    const state = await catalog.commit(withStepKey(call, 'approved'), [approved]);
    if (after !== null) assertReadBack(state, after);
    deps.onMutation?.(call, { action: 'approve', ids: [id] });
  }

  return async (input: ApproveInput, call: Call): Promise<ApproveAnswer> => {
    const { proposal_id: proposalId } = input;
    const row = await loadProposal(deps, call, proposalId);
    if (row.state !== 'pending') return answer(call, proposalId, true);
    try {
      await apply(call, row, input);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'CONFLICT') throw error;
      // Somebody else decided or changed the instruction a moment earlier.
      if ((await loadProposal(deps, call, proposalId)).state !== 'pending') return answer(call, proposalId, true);
      const found = await lookUpEntry(deps, call, row.id);
      throw isStale(row, found) && !input.rebase ? staleFault(row, found?.entry, canonicalOff) : error;
    }
    return answer(call, proposalId, false);
  };
}
