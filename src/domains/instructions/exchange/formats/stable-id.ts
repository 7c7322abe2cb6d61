import { sha256Hex } from '#kernel/hash/hash.ts';
import { foldCase } from '#kernel/text/normalise.ts';
import { instructionIdPattern } from '../../words.ts';

const idChars = 80;

/** `Code review & tests` → `code-review-tests`. The same title gives the same id in every run and on every machine. */
export function toStableId(title: string): string {
  const words = foldCase(title.normalize('NFKD'))
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let id = '';
  for (const word of words) {
    if (id.length + word.length + 1 > idChars) break;
    id = id === '' ? word : `${id}-${word}`;
  }
  if (id === '' && words.length > 0) id = words[0]!.slice(0, idChars);
  // A title in a script without Latin letters still has one name of its own.
  return id === '' ? `rule-${sha256Hex(title).slice(0, 12)}` : id;
}

/** Keeps an id that is one, and makes one of anything else. */
export const toInstructionId = (text: string): string => (instructionIdPattern.test(text) ? text : toStableId(text));
