import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import type { Catalog, EntryChange } from '../catalog/catalog.ts';
import { changedByOther, toEntryText } from '../catalog/entry-json.ts';
import type { InstructionInput } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { withStepKey } from '../writes/idempotency.ts';
import { countPending, insertProposals, listPendingOf, lockProposals, type ProposalRow } from './proposal-store.ts';
import { fingerprintOf, toFields } from './proposed-fields.ts';

/** A change that an admin has to approve. */
export interface Proposal extends Omit<EntryChange, 'proposal'> {
  /** Of a new entry: what the caller gave, so that everything else is filled in when it is approved. */
  readonly given?: InstructionInput | undefined;
}

/** Stores the proposals and returns their ids, in order. An equal one that is open already is not stored again. */
export type Propose = (call: Call, proposals: readonly Proposal[], reason?: string) => Promise<readonly string[]>;

/** The fields of an answer. */
export function toProposed(proposalIds: readonly string[]) {
  const [first] = proposalIds;
  if (first === undefined) return {};
  return { proposed: true as const, ...(proposalIds.length === 1 && { proposal_id: first }) };
}

export const toProposedMany = (proposalIds: readonly string[]) =>
  proposalIds.length === 0 ? {} : { ...toProposed(proposalIds), proposal_ids: proposalIds };

export interface RecordProposalsDeps {
  readonly storage: Pick<Storage, 'write'>;
  readonly catalog: Catalog;
  readonly ids: Ids;
}

/** RESOURCE_LIMIT if so many further ones would be too many. */
export function* checkPending(db: Reader, addedCount: number): Work<void> {
  const { count } = (yield* countPending(db)) ?? { count: 0 };
  const limit = instructionLimits.pendingProposalsCount;
  if (count + addedCount <= limit) return;
  const what = 'The list of open proposals, some of which must be decided or withdrawn first,';
  throw faults.RESOURCE_LIMIT({ what, limit, unit: 'proposals' });
}

/** Short enough to type. */
const proposalIdChars = 12;

export function createPropose({ storage, catalog, ids }: RecordProposalsDeps): Propose {
  type Prepared = Pick<ProposalRow, 'proposal_id' | 'id' | 'base_etag' | 'base_document' | 'document' | 'fingerprint'>;

  async function prepare(call: Call, proposals: readonly Proposal[]): Promise<readonly Prepared[]> {
    const state = await catalog.state(call);
    return proposals.map(({ id, before, after, given }) => {
      const base = state.find(id);
      if ((base?.etag ?? null) !== before) throw changedByOther(id);
      const fields = after === null ? null : toFields(base?.entry, given ?? after, after);
      return {
        proposal_id: `p-${sha256Hex(ids.uuid()).slice(0, proposalIdChars)}`,
        id,
        base_etag: before,
        base_document: base === undefined ? null : toEntryText(base.entry),
        document: fields === null ? null : JSON.stringify(fields),
        fingerprint: fingerprintOf(id, before, fields),
      };
    });
  }

  const store = (call: Call, part: readonly Prepared[], leftCount: number, reason: string | undefined) =>
    storage.write(call, function* (db) {
      yield* lockProposals(db);
      const known = yield* listPendingOf(
        db,
        part.map(({ id }) => id),
      );
      const idOf = new Map(
        known.toReversed().map(({ id, fingerprint, proposal_id }) => [`${id} ${fingerprint}`, proposal_id]),
      );
      const added = part.filter(({ id, fingerprint }) => !idOf.has(`${id} ${fingerprint}`));
      if (added.length > 0) yield* checkPending(db, added.length + leftCount);
      const origin = { author: call.actor, tool: call.tool, reason: reason ?? null, created_at: db.now };
      const open = { state: 'pending', decided_by: null, decided_at: null, decision: null } as const;
      yield* insertProposals(
        db,
        added.map((one) => ({ ...one, ...origin, ...open })),
      );
      return part.map(({ id, fingerprint, proposal_id }) => idOf.get(`${id} ${fingerprint}`) ?? proposal_id);
    });

  return async (call, proposals, reason) => {
    const prepared = await prepare(call, proposals);
    const found: string[] = [];
    for (let from = 0; from < prepared.length; from += instructionLimits.proposalsBatchCount) {
      const part = prepared.slice(from, from + instructionLimits.proposalsBatchCount);
      found.push(
        ...(await store(withStepKey(call, `proposed ${from}`), part, prepared.length - from - part.length, reason)),
      );
    }
    return found;
  };
}
