import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { hasSecret } from '../review/has-secret.ts';
import { parseInput } from '../rules/check-write.ts';
import type { ProposeAnswer, ProposeInput } from '../tools/instructions-propose.ts';
import { isUnchanged, rejectionFault } from '../writes/prepare-entry.ts';
import { closeOpen, reopen } from './decide-proposal.ts';
import { findProposal } from './proposal-store.ts';
import { lookUpEntry, type ProposalsDeps, prepareChecked } from './proposals-deps.ts';
import { toInput } from './proposed-fields.ts';
import type { Proposal } from './record-proposals.ts';
import { describeProposal, loadProposal } from './review-proposals.ts';

const findInstruction = 'instructions/search finds instructions by words, instructions/list lists their ids.';

const waits = (proposalId: string): string =>
  `Nothing has changed yet. An admin decides: fourfold instructions approve ${proposalId}`;

function assertBase(id: string, base: string | undefined, present: InstructionEntry | undefined): void {
  if (base === undefined || base === present?.sourceHash) return;
  throw faults.CONFLICT(
    { why: `base is not the sourceHash of ${id} any more; read it and propose again` },
    {
      id,
      base,
      sourceHash: present?.sourceHash ?? null,
      fix: `Read it with instructions/get {"id": "${id}"} and propose again with its sourceHash as base.`,
    },
  );
}

export function createProposeChange(deps: ProposalsDeps) {
  const { storage, canonicalOff } = deps;

  /** Also explains a proposal's id where an instruction's was expected. */
  async function lookUp(call: Call, id: string): Promise<CatalogEntry | undefined> {
    const found = await lookUpEntry(deps, call, id);
    const proposal = found === undefined ? await storage.read(call, (db) => findProposal(db, id)) : undefined;
    if (proposal === undefined) return found;
    const why = `${id} is a proposal for ${proposal.id}: propose a change of ${proposal.id}, or withdraw the proposal`;
    throw faults.VALIDATION_ERROR({ why }, { proposal_id: id, id: proposal.id });
  }

  /** Undefined if it would change nothing. */
  async function toChange(call: Call, raw: unknown, base: string | undefined): Promise<Proposal | undefined> {
    const given = isObject(raw) ? raw : {};
    const found = typeof given['id'] === 'string' ? await lookUp(call, given['id']) : undefined;
    const reading = parseInput(found === undefined ? raw : { body: found.entry.body, ...given }, { canonicalOff });
    if ('rejection' in reading) {
      if (reading.rejection.code !== 'RESOURCE_LIMIT') throw rejectionFault(reading.rejection);
      throw faults.RESOURCE_LIMIT({ what: 'The body', limit: instructionLimits.bodyChars, unit: 'characters' });
    }
    const { input } = reading;
    if (hasSecret(JSON.stringify(given))) {
      const why = 'the proposal contains a password or key, and everybody reads rules';
      throw faults.VALIDATION_ERROR({ why }, { fix: 'Propose it without the secret. An admin can add such a text.' });
    }
    assertBase(input.id, base, found?.entry);
    const after = await prepareChecked(deps, call, toInput(input.id, found?.entry, input), found?.entry);
    if (found !== undefined && isUnchanged(found, after)) return undefined;
    return { id: input.id, before: found?.etag ?? null, after, given: input };
  }

  async function toRemoval(call: Call, id: string, base: string | undefined): Promise<Proposal> {
    const found = await lookUp(call, id);
    if (found === undefined) throw faults.NOT_FOUND({ what: `instruction ${id}` }, { id, fix: findInstruction });
    assertBase(id, base, found.entry);
    return { id, before: found.etag, after: null };
  }

  async function withdraw(call: Call, proposalId: string, reason: string | undefined): Promise<ProposeAnswer> {
    const row = await loadProposal(deps, call, proposalId);
    if (row.author !== call.actor) {
      const fix = `An admin rejects it with instructions/reject {"proposal_id": "${proposalId}"}.`;
      throw faults.PERMISSION_DENIED(
        { why: `only ${row.author} may withdraw the proposal; an admin rejects it` },
        { fix },
      );
    }
    await closeOpen(deps, call, row, 'withdrawn', reason ?? null);
    const hint = 'The proposal is closed and the instruction unchanged.';
    const change = describeProposal(row, canonicalOff);
    return { proposed: false, withdrawn: true, proposal_id: proposalId, id: row.id, ...change, hint };
  }

  async function proposeAgain(call: Call, formerId: string): Promise<ProposeAnswer> {
    const row = await loadProposal(deps, call, formerId);
    if (row.author !== call.actor) {
      const fix = `Read it with instructions/proposals {"proposal_id": "${formerId}", "state": "all"} and propose your own with entry or remove.`;
      throw faults.PERMISSION_DENIED({ why: `only ${row.author} may propose this again` }, { fix });
    }
    const proposalId = await reopen(deps, call, row);
    const change = describeProposal(row, canonicalOff);
    return { proposed: true, proposal_id: proposalId, id: row.id, ...change, hint: waits(proposalId) };
  }

  return async (input: ProposeInput, call: Call): Promise<ProposeAnswer> => {
    const { entry, remove, withdraw: ownId, reopen: formerId, reason, base } = input;
    if ([entry, remove, ownId, formerId].filter((one) => one !== undefined).length !== 1) {
      throw faults.INVALID_PARAMS({ why: 'give either entry, remove, withdraw or reopen' });
    }
    if (ownId !== undefined) return withdraw(call, ownId, reason);
    if (formerId !== undefined) return proposeAgain(call, formerId);
    const change = remove === undefined ? await toChange(call, entry, base) : await toRemoval(call, remove, base);
    if (change === undefined) {
      const { id } = entry as { readonly id: string };
      return { proposed: false, id, diff: '', changes: {}, hint: 'The instruction says this already.' };
    }
    const [proposalId = ''] = await deps.propose(call, [change], reason);
    const row = await loadProposal(deps, call, proposalId);
    const hint = waits(proposalId);
    return { proposed: true, proposal_id: proposalId, id: row.id, ...describeProposal(row, canonicalOff), hint };
  };
}
