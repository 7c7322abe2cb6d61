import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { isBinding } from './applicability.ts';

/** Kept in `extensions` of an imported rule that sounds mandatory. A file cannot make its own rules binding. */
export const candidateMark = { candidate: 'mandatory' } as const;

export const isMarkedCandidate = ({ extensions }: Pick<InstructionInput, 'extensions'>): boolean =>
  extensions?.['candidate'] === candidateMark.candidate;

export const isCandidate = (input: Pick<InstructionInput, 'extensions' | 'requirement'>): boolean =>
  isMarkedCandidate(input) && input.requirement === 'recommended';

/**
 * A later import of the same file must not take back what a person has confirmed, nor the owner and the category that a
 * binding rule needs.
 */
export const keepConfirmed = (input: InstructionInput, existing: InstructionEntry | undefined): InstructionInput =>
  existing !== undefined && isBinding(existing) && isCandidate(input)
    ? {
        ...input,
        requirement: existing.requirement,
        owner: input.owner ?? existing.owner,
        categories: input.categories ?? existing.categories,
      }
    : input;
