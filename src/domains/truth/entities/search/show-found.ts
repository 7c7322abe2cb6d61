import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Json } from '#kernel/json/canonical.ts';
import { readTime } from '../../iso-time.ts';
import type { Fields } from '../../observations/observation.ts';
import { truthLimits } from '../../truth-limits.ts';
import { type Answer, identifiedEntity, type ListedEntity } from '../entity-model.ts';
import type { RetrieveInput } from '../list-entities.ts';
import { toFieldFilters } from './field-filter.ts';
import type { EntityQuery, FoundEntities, FoundEntity } from './search-entities.ts';

/** A list has all about an entity; a search has what it needs to answer a question. */
export const retrievedEntity = identifiedEntity
  .partial({ schema_version: true, observation_count: true, last_observation_at: true, created_at: true })
  .extend({
    shortened: z.array(z.string()).optional().describe('Fields cut for brevity; get_entity_snapshot has them whole'),
    matched: z
      .array(z.string())
      .optional()
      .describe(
        'Fields with words of the query; else `past value`, `source`, `meaning`, `similar name` or `entity_id`',
      ),
    score: z.number().optional().describe('Comparable within one answer'),
    relevance: z.number().optional().describe('From 0 to 1: how clearly it is about the query'),
    similarity: z.number().optional().describe('Of the meaning; 0.7 separates relevant from irrelevant texts'),
    pending: z.literal(true).optional().describe('Not yet embedded: found and judged by its words only'),
  });
export type RetrievedEntity = Answer<typeof retrievedEntity>;

export const searchRemarks = {
  total_is_estimate: z.literal(true).optional(),
  incomplete: z.literal(true).optional().describe('There may be more matches; see hint'),
  search_mode_used: z.enum(['keyword', 'semantic', 'both']).optional(),
  pending: z.int().optional().describe('Entities that are not embedded yet'),
  best_similarity: z.number().optional().describe('If nothing was found: of the most similar entity'),
  hint: z.string().optional(),
};
export type SearchRemarks = Answer<z.ZodObject<typeof searchRemarks>>;

export const isSearch = ({ query, fields, at }: RetrieveInput): boolean =>
  query !== undefined || at !== undefined || (fields !== undefined && Object.keys(fields).length > 0);

export const limitOf = ({ limit, query }: RetrieveInput): number =>
  limit ?? (query === undefined ? truthLimits.listDefaultCount : truthLimits.foundDefaultCount);

export function toEntityQuery(input: RetrieveInput): EntityQuery {
  const { query, fields, entity_type, at, mode, offset } = input;
  if (query?.trim() === '') throw faults.VALIDATION_ERROR({ why: 'query is blank' }, { field: 'query' });
  return {
    text: query?.trim() ?? '',
    filters: toFieldFilters(fields),
    type: entity_type,
    at: at === undefined ? undefined : readTime(at, 'at').end - 1,
    mode,
    limit: limitOf(input),
    offset,
  };
}

/** Undefined if nothing of it fits. */
export function shorten(value: Json, chars: number): Json | undefined {
  if (typeof value === 'string') {
    return value.length <= chars ? value : `${value.slice(0, chars).toWellFormed()}…`;
  }
  if (value === null || typeof value !== 'object' || JSON.stringify(value).length <= chars) return value;
  if (!Array.isArray(value)) return undefined;
  let left: number = chars;
  return (value as readonly Json[]).filter((one) => {
    left -= JSON.stringify(one).length;
    return left >= 0;
  });
}

function shortenFields(fields: Fields, shortened: string[]): Fields {
  const shown: [string, Json][] = [];
  for (const [field, value] of Object.entries(fields)) {
    const short = shorten(value, truthLimits.foundValueChars);
    if (short !== value) shortened.push(field);
    if (short !== undefined) shown.push([field, short]);
  }
  return Object.fromEntries(shown);
}

type ShownFields = Pick<RetrievedEntity, 'snapshot' | 'raw_fragments' | 'shortened'>;

function shortenAll(snapshot: Fields, raw: Fields = {}): ShownFields {
  const shortened: string[] = [];
  const shown = shortenFields(snapshot, shortened);
  const shownRaw = shortenFields(raw, shortened);
  return { snapshot: shown, ...hasRaw(shownRaw), ...(shortened.length > 0 && { shortened }) };
}

export const hasRaw = (raw: Fields | undefined): Pick<ListedEntity, 'raw_fragments'> =>
  raw === undefined || Object.keys(raw).length === 0 ? {} : { raw_fragments: raw };

export const shortenSnapshot = (entity: ListedEntity): RetrievedEntity =>
  entity.snapshot === undefined
    ? entity
    : { ...entity, ...shortenAll(entity.snapshot as Fields, entity.raw_fragments as Fields | undefined) };

export const toRetrieved = (found: FoundEntity, hasSnapshot: boolean): RetrievedEntity => ({
  entity_id: found.row.entity_id,
  entity_type: found.row.entity_type,
  canonical_name: found.row.canonical_name,
  ...(hasSnapshot && shortenAll(found.snapshot, found.raw)),
  ...(found.matched !== undefined && { matched: found.matched }),
  ...(found.mark !== undefined && { match: found.mark.match, matched_text: found.mark.matched_text }),
  ...(found.score !== undefined && { score: Math.round(found.score * 1e4) / 1e4 }),
  ...(found.relevance !== undefined && { relevance: found.relevance }),
  ...(found.similarity !== undefined && { similarity: found.similarity }),
  ...(found.isPending === true && { pending: true as const }),
});

type Outcome = FoundEntities & { readonly waitingCount: number };

function* hintsFor(outcome: Outcome, input: RetrieveInput) {
  const { found, waitingCount, isIncomplete, bestSimilarity, limits, hints } = outcome;
  if (waitingCount > 0) yield `${waitingCount} entities of a bulk import are not indexed yet; repeat the search later.`;
  if (isIncomplete) yield 'The search stopped before all candidates were examined: add entity_type, words or filters.';
  yield* limits ?? [];
  if (input.offset > 0) return;
  if (hints.length > 0) yield `No entity has a word of the query. Similar indexed words: ${hints.join(', ')}.`;
  if (found.length > 0) return;
  if (bestSimilarity !== undefined) {
    yield `Nothing has these words; the most similar entity has a similarity of ${bestSimilarity.toFixed(2)}.`;
  }
  if (input.query !== undefined) yield 'Try other or fewer words.';
  if (input.at !== undefined) yield 'Without `at`, values of other times are found too.';
}

export function toRemarks(outcome: Outcome, input: RetrieveInput): SearchRemarks {
  const hint = [...hintsFor(outcome, input)].join(' ');
  const { isEstimate, isIncomplete, mode, pending, bestSimilarity } = outcome;
  return {
    ...(isEstimate && { total_is_estimate: true as const }),
    ...(isIncomplete && { incomplete: true as const }),
    ...(mode !== undefined && { search_mode_used: mode }),
    ...(pending !== undefined && { pending }),
    ...(bestSimilarity !== undefined && { best_similarity: bestSimilarity }),
    ...(hint !== '' && { hint }),
  };
}
