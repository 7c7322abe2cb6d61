import type { Collection } from '../collection.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { Part } from './part.ts';
import { lengthsOf } from './score-part.ts';
import { type FieldRows, hasDoc, type UnitMatch } from './unit-rows.ts';

/** Documents whose title is made of the words of the query and no others. */
export function titleDocs(
  collection: Collection,
  { units, words, leftOutCount }: ParsedQuery,
  part: Part,
  matches: readonly UnitMatch[],
): readonly number[] {
  const { titleField } = collection;
  if (titleField === undefined || words.length === 0 || leftOutCount > 0) return [];
  const title = collection.fields.indexOf(titleField);
  const lists: FieldRows[] = [];
  for (const [i, unit] of units.entries()) {
    // Guesses and compounds stand beside the words they come from.
    if (unit.kind !== 'word' || !words.some(({ word }) => word === unit.text)) continue;
    const list = matches[i]!.lists.find(({ field }) => field === title);
    if (list === undefined) return [];
    lists.push(list);
  }
  const [rarest, ...others] = lists.sort((a, b) => a.to - a.from - (b.to - b.from));
  if (rarest === undefined) return [];
  const lengths = lengthsOf(part, title);
  const found: number[] = [];
  for (let i = rarest.from; i < rarest.to; i += 1) {
    const doc = rarest.rows[i]! >>> 8;
    if (lengths[doc] === words.length && others.every((list) => hasDoc(list, doc))) found.push(doc);
  }
  return found;
}
