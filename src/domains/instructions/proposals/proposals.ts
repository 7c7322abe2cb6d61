import type { Call } from '#kernel/call.ts';
import type { ApproveInput } from '../tools/instructions-approve.ts';
import type { ProposeInput } from '../tools/instructions-propose.ts';
import type { RejectInput } from '../tools/instructions-reject.ts';
import { createApprove, createReject } from './decide-proposal.ts';
import { countProposals } from './proposal-store.ts';
import { createProposalsAbout } from './proposals-about.ts';
import type { ProposalsDeps } from './proposals-deps.ts';
import { createProposeChange } from './propose-change.ts';
import { createListProposals } from './review-proposals.ts';

export type Proposals = ReturnType<typeof createProposals>;

export function createProposals(deps: ProposalsDeps) {
  const { idempotency, storage } = deps;
  const propose = createProposeChange(deps);
  const approve = createApprove(deps);
  const reject = createReject(deps);
  return {
    list: createListProposals(deps),
    about: createProposalsAbout(deps),
    /** Counts up to `limit`. */
    countPending: async (limit: number, call: Call): Promise<number> =>
      (await storage.read(call, (db) => countProposals(db, 'pending', limit)))?.count ?? 0,
    propose: (input: ProposeInput, call: Call) => idempotency.answerOnce(call, () => propose(input, call)),
    approve: (input: ApproveInput, call: Call) => idempotency.answerOnce(call, () => approve(input, call)),
    reject: (input: RejectInput, call: Call) => idempotency.answerOnce(call, () => reject(input, call)),
  };
}
