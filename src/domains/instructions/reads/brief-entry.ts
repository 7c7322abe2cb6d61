import { jsonBytes } from '#kernel/text/budget.ts';
import { type InstructionEntry, instructionEntry } from '../entry-model.ts';

const briefFields = {
  id: true,
  title: true,
  requirement: true,
  priority: true,
  status: true,
  version: true,
  sourceHash: true,
} as const;

/** Enough to decide which entries to read. */
export type BriefEntry = Pick<InstructionEntry, keyof typeof briefFields>;

/** A whole entry or a brief one. */
export const shownEntry = instructionEntry.partial().extend(instructionEntry.pick(briefFields).shape);

export const toBrief = (entry: InstructionEntry): BriefEntry => {
  const { id, title, requirement, priority, status, version, sourceHash } = entry;
  return { id, title, requirement, priority, status, version, sourceHash };
};

/** What a list of the catalog shows. */
export const toListed = (entry: InstructionEntry) => {
  const { owner, priorityTier, categories, nextReviewDue, updatedAt, usageCount, lastUsedAt } = entry;
  const dates = { updatedAt, ...(nextReviewDue !== undefined && { nextReviewDue }) };
  const use = { ...(usageCount !== undefined && { usageCount }), ...(lastUsedAt !== undefined && { lastUsedAt }) };
  return { ...toBrief(entry), owner, priorityTier, categories, ...dates, ...use };
};

export const briefBytes = (entry: InstructionEntry): number => jsonBytes(toBrief(entry));
