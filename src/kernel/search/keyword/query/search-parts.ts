import type { Collection } from '../../collection.ts';
import type { FacetFilter } from './filter.ts';
import type { ParsedQuery } from './parse-query.ts';
import { docIn, idIn, type Part } from './part.ts';
import { rankPart } from './rank-part.ts';
import { inverseFrequency, lengthsOf, statisticsOf } from './score-part.ts';
import type { ScratchFor } from './scratch.ts';
import { canMatchInside, substringRows } from './substring-rows.ts';
import { type FieldRows, hasDoc, matchUnit, type UnitMatch } from './unit-rows.ts';

/** Documents whose title is made of the words of the query and no others. */
function titleDocs(
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

/** The place of a hit in the order of all: the next page begins behind it. */
export interface HitKey {
  readonly score: number;
  readonly id: string;
}

export interface PartsQuery {
  readonly parsed: ParsedQuery;
  readonly match: 'any' | 'all';
  readonly filters: readonly FacetFilter[];
  readonly limit: number;
  readonly after: HitKey | undefined;
  /** Whether documents that hold the query inside of words follow those that hold its words. */
  readonly substring: boolean;
}

export interface FoundDoc extends HitKey {
  readonly doc: number;
  readonly from: PartMatch;
}

export interface Found {
  /** The page, best first. */
  readonly docs: readonly FoundDoc[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** What the units find in one part. */
export interface PartMatch {
  readonly part: Part;
  readonly units: readonly UnitMatch[];
  readonly inside: readonly FieldRows[];
  readonly idDocs: readonly number[];
  readonly titleDocs: readonly number[];
}

const noDocs: readonly number[] = [];

/** Without a pause from beginning to end: the scratch belongs to one search at a time. */
export function searchParts(
  collection: Collection,
  parts: readonly Part[],
  query: PartsQuery,
  scratchFor: ScratchFor,
): Found {
  if (query.parsed.units.length === 0) return { docs: [], total: 0, hasMore: false };
  const statistics = statisticsOf(collection, parts);
  const looksInside = query.substring && canMatchInside(query.parsed, query.match);
  const matches = parts.map((part) => matchPart(collection, query.parsed, part, looksInside, scratchFor));
  const gains = query.parsed.units.map((unit, i) => {
    let found = 0;
    for (const { units } of matches) found += units[i]!.docCount;
    return unit.weight * (collection.k1 + 1) * inverseFrequency(statistics.docCount, found);
  });
  const docs: FoundDoc[] = [];
  let total = 0;
  let remaining = 0;
  for (const match of matches) {
    const found = rankPart(collection, statistics, query, match, gains, scratchFor);
    total += found.total;
    remaining += found.remaining;
    const { top } = found;
    for (let i = 0; i < top.count; i += 1) {
      const doc = top.docs[i]!;
      docs.push({ doc, score: top.scores[i]!, id: idIn(match.part, doc), from: match });
    }
  }
  docs.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return { docs: docs.slice(0, query.limit), total, hasMore: remaining > query.limit };
}

function matchPart(
  collection: Collection,
  parsed: ParsedQuery,
  part: Part,
  looksInside: boolean,
  scratchFor: ScratchFor,
): PartMatch {
  const units = parsed.units.map((unit) => matchUnit(part, unit, scratchFor));
  return {
    part,
    units,
    inside: looksInside ? substringRows(part, parsed, scratchFor) : [],
    idDocs: idDocs(part, parsed.literal),
    titleDocs: titleDocs(collection, parsed, part, units),
  };
}

/** Documents whose id is the query, as it is or in lower case. */
function idDocs(part: Part, literal: string): readonly number[] {
  const lower = literal.toLowerCase();
  const [doc, lowerDoc] = [docIn(part, literal), lower === literal ? -1 : docIn(part, lower)];
  return doc < 0 && lowerDoc < 0 ? noDocs : [doc, lowerDoc].filter((found) => found >= 0);
}
