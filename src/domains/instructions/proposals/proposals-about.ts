import type { Call } from '#kernel/call.ts';
import { cutText } from '#kernel/fault/bound-fault.ts';
import { isStopWord } from '#kernel/search/stop-words.ts';
import { stem } from '#kernel/text/stem.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { listProposals, newestPosition, type ProposalRow } from './proposal-store.ts';
import type { ProposalsDeps } from './proposals-deps.ts';
import { parseProposal } from './proposed-fields.ts';

export interface ProposalAbout {
  readonly proposal_id: string;
  readonly by: string;
  readonly text: string;
}

function stemsOf(text: string): ReadonlySet<string> {
  const stems = new Set<string>();
  scanTokens(text, (word) => {
    if (!isStopWord(word)) stems.add(stem(word));
  });
  return stems;
}

/** One common word is enough only for a task of two words. */
const isAbout = (sharedCount: number, askedCount: number): boolean => sharedCount >= 2 || sharedCount * 2 >= askedCount;

/** New rules that wait for approval and share words with a task. Of existing rules the approved text is in force. */
export function createProposalsAbout({ storage, canonicalOff }: ProposalsDeps) {
  const textOf = (row: ProposalRow): string => {
    const { body } = parseProposal(row, canonicalOff).fields ?? {};
    return typeof body === 'string' ? cutText(body, instructionLimits.proposalAboutChars) : '';
  };

  return async (task: string, call: Call): Promise<readonly ProposalAbout[]> => {
    const { proposalsAboutCount, comparedProposalsCount } = instructionLimits;
    const rows = await storage.read(call, (db) =>
      listProposals(db, { state: 'pending' }, newestPosition, comparedProposalsCount),
    );
    const asked = rows.length === 0 ? new Set<string>() : stemsOf(task);
    return rows
      .filter(({ base_document }) => base_document === null)
      .map((row) => {
        const text = textOf(row);
        const own = stemsOf(text);
        const sharedCount = [...asked].filter((word) => own.has(word)).length;
        return { sharedCount, about: { proposal_id: row.proposal_id, by: row.author, text } };
      })
      .filter(({ sharedCount }) => sharedCount > 0 && isAbout(sharedCount, asked.size))
      .sort((a, b) => b.sharedCount - a.sharedCount)
      .slice(0, proposalsAboutCount)
      .map(({ about }) => about);
  };
}
