import { typePattern } from '../truth-vocabulary.ts';

/** A word as an entity type: lower-case with underscores. Undefined if nothing is left. */
export function normaliseType(word: string): string | undefined {
  const type = word
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return typePattern.test(type) ? type : undefined;
}
