import type { ObservationSource } from '../observations/observation.ts';
import type { Analysis } from './analyse/document-text.ts';

/** Of facts that a document states itself: more than what a payload says about it. */
const documentPriority = 200;
/** If the kind is a guess, so is the meaning of its values. */
const guessPriority = 50;

const dayChars = 10;

/**
 * [TR54] When the observations of an uploaded document hold from, and how much they count. A date after the upload is
 * ignored: the facts would not hold yet, although the document states them.
 */
export function weighDocument(
  { documentDate, isKindClear }: Pick<Analysis, 'documentDate' | 'isKindClear'>,
  now: number,
): Pick<ObservationSource, 'period' | 'priority'> {
  const isUsed = documentDate !== undefined && documentDate.ms <= now;
  return {
    period: {
      effectiveUntil: null,
      ...(isUsed && { effectiveAt: documentDate.ms }),
      ...(isUsed && documentDate.chars <= dayChars && { atChars: documentDate.chars }),
    },
    priority: isKindClear ? documentPriority : guessPriority,
  };
}
