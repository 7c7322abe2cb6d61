import type { Collection } from '../../collection.ts';
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
  if (titleField === undefined || words.length === 0 || leftOutCount > 0) return none;
  const title = collection.fields.indexOf(titleField);
  const lists: FieldRows[] = [];
  let rarest: FieldRows | undefined;
  for (let i = 0; i < units.length; i += 1) {
    if (!units[i]!.isWord) continue;
    const list = listOf(matches[i]!, title);
    if (list === undefined) return none;
    lists.push(list);
    if (rarest === undefined || list.to - list.from < rarest.to - rarest.from) rarest = list;
  }
  if (rarest === undefined) return none;
  const lengths = lengthsOf(part, title);
  const found: number[] = [];
  for (let i = rarest.from; i < rarest.to; i += 1) {
    const doc = rarest.rows[i]! >>> 8;
    if (lengths[doc] === words.length && lists.every((list) => hasDoc(list, doc))) found.push(doc);
  }
  return found;
}

const none: readonly number[] = [];

function listOf({ lists }: UnitMatch, field: number): FieldRows | undefined {
  for (const list of lists) if (list.field === field) return list;
  return undefined;
}
