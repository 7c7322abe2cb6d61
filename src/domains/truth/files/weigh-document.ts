import type { Analysis } from './analyse/document-text.ts';

/** Of facts that a document states itself: more than what a payload says about it. */
const documentPriority = 200;
/** If the kind is a guess, so is the meaning of its values. */
const guessPriority = 50;

export interface DocumentWeight {
  /** When its facts hold from. */
  readonly effectiveAt: number;
  /** How exactly it is stated; undefined if it is the time of the upload. */
  readonly effectiveChars?: number;
  readonly priority: number;
}

/**
 * [TR54] The time and priority of the observations of an uploaded document. A date after the upload is ignored: its
 * facts would not hold yet, although the document states them.
 */
export function weighDocument(
  { documentDate, isKindClear }: Pick<Analysis, 'documentDate' | 'isKindClear'>,
  now: number,
): DocumentWeight {
  const priority = isKindClear ? documentPriority : guessPriority;
  return documentDate === undefined || documentDate.ms > now
    ? { effectiveAt: now, priority }
    : { effectiveAt: documentDate.ms, effectiveChars: documentDate.chars, priority };
}
