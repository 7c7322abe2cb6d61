import type { Collection } from '../collection.ts';
import { hasBit } from '../segment/bits.ts';
import { findDoc, idAt, lowerDoc } from '../segment/segment.ts';
import { allowedDocs, type FacetFilter } from './filter.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { Part } from './part.ts';
import { inverseFrequency, PartScorer, type Statistics, statisticsOf } from './score-part.ts';
import type { Scratch, ScratchFor } from './scratch.ts';
import { canMatchInside, substringRows } from './substring-rows.ts';
import { titleDocs } from './title-docs.ts';
import { TopDocs } from './top-docs.ts';
import { type FieldRows, matchUnit, type UnitMatch } from './unit-rows.ts';

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

/** Every hit by words scores above this, every hit by substring below. */
export const substringCeiling = 1e-6;

/** Without a pause from beginning to end: the scratch belongs to one search at a time. */
export function searchParts(collection: Collection, parts: readonly Part[], query: PartsQuery, scratchFor: ScratchFor): Found {
  if (query.parsed.units.length === 0) return { docs: [], total: 0, hasMore: false };
  const statistics = statisticsOf(collection, parts);
  const looksInside = query.substring && canMatchInside(query.parsed, query.match);
  const matches = parts.map((part) => matchPart(collection, query.parsed, part, looksInside, scratchFor));
  const gains = query.parsed.units.map((unit, i) => {
    const found = matches.reduce((sum, { units }) => sum + units[i]!.docCount, 0);
    return unit.weight * (collection.k1 + 1) * inverseFrequency(statistics.docCount, found);
  });
  const docs: FoundDoc[] = [];
  let total = 0;
  let remaining = 0;
  for (const match of matches) {
    const found = rankPart(collection, statistics, query, match, gains, scratchFor);
    total += found.total;
    remaining += found.remaining;
    for (const [doc, score] of found.top.entries()) docs.push({ doc, score, id: idAt(match.part.segment, doc), from: match });
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
  const ids = new Set([parsed.literal, parsed.literal.toLowerCase()]);
  return {
    part,
    units,
    inside: looksInside ? substringRows(part, parsed, scratchFor) : [],
    idDocs: [...ids].map((id) => findDoc(part.segment, id)).filter((doc) => doc >= 0),
    titleDocs: titleDocs(collection, parsed, part, units),
  };
}

interface Ranked {
  readonly top: TopDocs;
  readonly total: number;
  readonly remaining: number;
}

function rankPart(
  collection: Collection,
  statistics: Statistics,
  query: PartsQuery,
  match: PartMatch,
  gains: readonly number[],
  scratchFor: ScratchFor,
): Ranked {
  const { part, units } = match;
  const scratch = scratchFor(part.segment.docCount);
  const scorer = new PartScorer(part, collection, statistics, scratch);
  units.forEach(({ lists }, i) => {
    scorer.add(lists, gains[i]!);
  });
  if (query.parsed.groupCount > 0) keepComplete(query.parsed, units, scorer, scratch);
  // No sum of words reaches this, so that the title stands above all that only mention it, and the id above the title.
  const boost = Math.max(1, gains.reduce((sum, gain) => sum + gain, 0));
  for (const doc of match.titleDocs) if (scratch.scores[doc] !== 0) scorer.lift(doc, boost);
  for (const doc of match.idDocs) scorer.lift(doc, 2 * boost);
  for (let i = 0; i < scorer.touchedCount; i += 1) scratch.scores[scratch.touched[i]!]! += substringCeiling;
  if (match.inside.length > 0) scorer.addMissing(match.inside, substringCeiling);
  return takeTop(query, part, scorer.touchedCount, scratch);
}

/** Forgets the documents that lack a needed unit. */
function keepComplete(parsed: ParsedQuery, units: readonly UnitMatch[], scorer: PartScorer, scratch: Scratch): void {
  const { groups, scores, touched } = scratch;
  for (let group = 1; group <= parsed.groupCount; group += 1) {
    for (const [i, unit] of parsed.units.entries()) {
      if (unit.group !== group) continue;
      for (const { rows, from, to } of units[i]!.lists) {
        for (let at = from; at < to; at += 1) {
          const doc = rows[at]! >>> 8;
          if (groups[doc] === group - 1) groups[doc] = group;
        }
      }
    }
  }
  let kept = 0;
  for (let i = 0; i < scorer.touchedCount; i += 1) {
    const doc = touched[i]!;
    const isComplete = groups[doc] === parsed.groupCount;
    groups[doc] = 0;
    if (isComplete) {
      touched[kept] = doc;
      kept += 1;
    } else {
      scores[doc] = 0;
    }
  }
  scorer.touchedCount = kept;
}

/** Takes the page's candidates and leaves the scores zeroed. */
function takeTop({ filters, limit, after }: PartsQuery, part: Part, touchedCount: number, { scores, touched }: Scratch): Ranked {
  const allowed = allowedDocs(part, filters);
  const top = new TopDocs(Math.min(limit, touchedCount));
  const ceiling = after?.score ?? Number.POSITIVE_INFINITY;
  // Of those that tie with the last hit, only the ones behind it in the order of ids are still to come.
  const tieFrom = after === undefined ? 0 : lowerDoc(part.segment, `${after.id}\0`);
  let total = 0;
  let remaining = 0;
  for (let i = 0; i < touchedCount; i += 1) {
    const doc = touched[i]!;
    const score = scores[doc]!;
    scores[doc] = 0;
    if (allowed !== undefined && !hasBit(allowed, doc)) continue;
    total += 1;
    if (score > ceiling || (score === ceiling && doc < tieFrom)) continue;
    remaining += 1;
    top.offer(score, doc);
  }
  return { top, total, remaining };
}
