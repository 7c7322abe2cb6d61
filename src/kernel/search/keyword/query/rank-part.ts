import { BestScores } from '../../best-scores.ts';
import type { Collection } from '../../collection.ts';
import { type Bits, hasBit, lowerDoc } from '../segment/segment.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { Part } from './part.ts';
import { PartScorer, type Statistics } from './score-part.ts';
import type { BuffersFor, SearchBuffers } from './search-buffers.ts';
import type { PartMatch, PartsQuery } from './search-parts.ts';
import type { TermMatch } from './term-rows.ts';

/** Every word match scores above this, every substring match below. */
export const substringCeiling = 1e-6;

export interface RankedPart {
  /** By document number. */
  readonly top: BestScores;
  readonly total: number;
  /** Matches after the last hit of the previous page. */
  readonly remaining: number;
}

export interface WeighedTerm {
  /** The most that it can add to a score. */
  readonly gain: number;
  /** It only ranks documents that another term has found. */
  isCommon: boolean;
}

/** Scores one part. */
export function rankPart(
  collection: Collection,
  statistics: Statistics,
  query: PartsQuery,
  match: PartMatch,
  { weighed, allowed }: { readonly weighed: readonly WeighedTerm[]; readonly allowed: Bits | undefined },
  buffersFor: BuffersFor,
): RankedPart {
  const { part, terms } = match;
  const buffers = buffersFor(part.segment.docCount);
  const scorer = new PartScorer(part, collection, statistics, buffers, allowed);
  for (let i = 0; i < terms.length; i += 1) if (!weighed[i]!.isCommon) scorer.add(terms[i]!, weighed[i]!.gain);
  for (let i = 0; i < terms.length; i += 1) if (weighed[i]!.isCommon) scorer.addToScored(terms[i]!, weighed[i]!.gain);
  if (query.parsed.groupCount > 0) keepComplete(query.parsed, terms, scorer, buffers);
  // More than any sum of terms, so that the title ranks above mentions, and the id above the title.
  const boost = Math.max(
    1,
    weighed.reduce((sum, { gain }) => sum + gain, 0),
  );
  for (const doc of match.titleDocs) if (buffers.scores[doc] !== 0) scorer.lift(doc, boost);
  for (const doc of match.idDocs) scorer.lift(doc, 2 * boost);
  for (let i = 0; i < scorer.touchedCount; i += 1) buffers.scores[buffers.touched[i]!]! += substringCeiling;
  if (match.inside.length > 0) scorer.addMissing(match.inside, substringCeiling);
  return takeTop(query, part, allowed, scorer.touchedCount, buffers);
}

/** Drops documents that lack a required term. */
function keepComplete(
  parsed: ParsedQuery,
  terms: readonly TermMatch[],
  scorer: PartScorer,
  buffers: SearchBuffers,
): void {
  const { groups, scores, touched } = buffers;
  for (let group = 1; group <= parsed.groupCount; group += 1) {
    for (const [i, term] of parsed.terms.entries()) {
      if (term.group !== group) continue;
      for (const { rows, from, to } of terms[i]!.lists) {
        for (let at = from; at < to; at += 1) {
          const doc = rows[at]! >>> 8;
          if (groups[doc] === group - 1 && scores[doc] !== 0) groups[doc] = group;
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

/** Takes the candidates for the page and resets the scores to zero. */
function takeTop(
  query: PartsQuery,
  part: Part,
  allowed: Bits | undefined,
  touchedCount: number,
  { scores, touched }: SearchBuffers,
): RankedPart {
  const { limit, after } = query;
  const top = new BestScores(Math.min(limit, touchedCount));
  const ceiling = after?.score ?? Number.POSITIVE_INFINITY;
  // Of the documents that tie with the last hit, only those with a higher id are left.
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
