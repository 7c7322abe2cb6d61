import { Fault } from '#kernel/fault/fault.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import type { SyncStep } from '../rules/plan-sync.ts';
import { sourceMarkOf } from '../rules/source-mark.ts';
import type { ProposalsAnswer, ShownProposal } from '../tools/instructions-proposals.ts';
import type { ProposeAnswer } from '../tools/instructions-propose.ts';
import type { SyncError } from '../writes/sync-rules.ts';

type Conflict = Extract<SyncStep, { readonly action: 'conflict' | 'update' | 'rename' | 'unchanged' }>;

/** Enough to find the last proposal of a sync among those of people. */
const listedCount = 20;

/** Whether a sync proposed this text of the section before. A decision about it stays; an outdated proposal does not. */
function isSame({ state, stale, changes }: ShownProposal, { section }: Conflict): boolean {
  if (state !== 'rejected' && !(state === 'pending' && stale === false)) return false;
  const extensions = changes['extensions']?.after as Parameters<typeof sourceMarkOf>[0]['extensions'];
  return sourceMarkOf({ extensions })?.hash === section.mark.hash;
}

async function findProposal(ask: Ask, step: Conflict): Promise<string | undefined> {
  const { id } = step.rule.entry;
  const { items } = (await ask('instructions/proposals', { id, state: 'all', limit: listedCount })) as ProposalsAnswer;
  return items.find((item) => isSame(item, step))?.proposal_id;
}

async function propose(ask: Ask, { rule, section, changes }: Conflict): Promise<string | undefined> {
  const fields = Object.entries(changes).filter(([, value]) => value !== undefined);
  const answer = (await ask('instructions/propose', {
    entry: { ...Object.fromEntries(fields), id: rule.entry.id },
    reason: `${section.mark.file} and the rule were both changed since the last sync`,
    base: rule.entry.sourceHash,
  })) as ProposeAnswer;
  return answer.proposal_id;
}

/** A rule that was edited in the catalog and in its file: a person decides. The proposals are by id of the rule. */
export async function proposeConflicts(ask: Ask, steps: readonly SyncStep[], dryRun: boolean) {
  const proposals = new Map<string, string>();
  const errors: SyncError[] = [];
  for (const step of steps) {
    if (step.action !== 'conflict') continue;
    const { id } = step.rule.entry;
    try {
      const known = await findProposal(ask, step);
      const proposalId = known ?? (dryRun ? undefined : await propose(ask, step));
      if (proposalId !== undefined) proposals.set(id, proposalId);
    } catch (error) {
      // Everything else is written; the next sync tries again.
      if (!(error instanceof Fault)) throw error;
      errors.push({ id, error: error.message, code: error.code });
    }
  }
  return { proposals, errors };
}
