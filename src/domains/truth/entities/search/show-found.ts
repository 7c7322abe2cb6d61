import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { readTime, toIso } from '../../iso-time.ts';
import { type Answer, type ListedEntity, listedEntity } from '../entity-model.ts';
import type { EntityHead } from '../entity-store.ts';
import type { RetrieveInput } from '../list-entities.ts';
import { toFieldFilters } from './field-filter.ts';
import type { EntityQuery, FoundEntities, FoundEntity } from './search-entities.ts';

export const retrievedEntity = listedEntity.extend({
  score: z.number().optional().describe('Comparable within one answer'),
  similarity: z.number().optional().describe('Of the meaning; 0.7 separates relevant from irrelevant texts'),
  past_match: z.literal(true).optional().describe('Only earlier values contain the words'),
});
export type RetrievedEntity = Answer<typeof retrievedEntity>;

export const searchRemarks = {
  total_is_estimate: z.literal(true).optional(),
  incomplete: z.literal(true).optional().describe('There may be more matches; see hint'),
  search_mode_used: z.enum(['keyword', 'both']).optional(),
  best_similarity: z.number().optional().describe('If nothing was found: of the most similar entity'),
  hint: z.string().optional(),
};
export type SearchRemarks = Answer<z.ZodObject<typeof searchRemarks>>;

export const isSearch = ({ query, fields, at }: RetrieveInput): boolean =>
  query !== undefined || at !== undefined || (fields !== undefined && Object.keys(fields).length > 0);

export function toEntityQuery({ query, fields, entity_type, at, limit, offset }: RetrieveInput): EntityQuery {
  if (query?.trim() === '') throw faults.VALIDATION_ERROR({ why: 'query is blank' }, { field: 'query' });
  return {
    text: query?.trim() ?? '',
    filters: toFieldFilters(fields),
    type: entity_type,
    at: at === undefined ? undefined : readTime(at, 'at').end - 1,
    limit,
    offset,
  };
}

export const toListed = (head: EntityHead, schemaVersion: string): ListedEntity => ({
  entity_id: head.entity_id,
  entity_type: head.entity_type,
  canonical_name: head.canonical_name,
  schema_version: schemaVersion,
  observation_count: head.observation_count,
  last_observation_at: toIso(head.last_observed_at),
  created_at: toIso(head.created_at),
});

export const toRetrieved = (found: FoundEntity, hasSnapshot: boolean): RetrievedEntity => ({
  ...toListed(found.row, found.schemaVersion),
  ...(hasSnapshot && { snapshot: found.snapshot }),
  ...(found.score !== undefined && { score: Math.round(found.score * 1e6) / 1e6 }),
  ...(found.similarity !== undefined && { similarity: found.similarity }),
  ...(found.isPast && { past_match: true as const }),
});

type Outcome = FoundEntities & { readonly waitingCount: number };

function* hintsFor({ found, waitingCount, isIncomplete, bestSimilarity, hints }: Outcome, input: RetrieveInput) {
  if (waitingCount > 0) yield `${waitingCount} entities of a bulk import are not indexed yet; repeat the search later.`;
  if (isIncomplete) yield 'The search stopped before all candidates were examined: add entity_type, words or filters.';
  if (found.length > 0 || input.offset > 0) return;
  if (bestSimilarity !== undefined) {
    yield `Nothing has these words; the most similar entity has a similarity of ${bestSimilarity.toFixed(2)}.`;
  }
  if (hints.length > 0) yield `Similar indexed words: ${hints.join(', ')}.`;
  if (input.query !== undefined) yield 'Try other or fewer words.';
  if (input.at !== undefined) yield 'Without `at`, values of other times are found too.';
}

export function toRemarks(outcome: Outcome, input: RetrieveInput): SearchRemarks {
  const hint = [...hintsFor(outcome, input)].join(' ');
  const { isEstimate, isIncomplete, mode, bestSimilarity } = outcome;
  return {
    ...(isEstimate && { total_is_estimate: true as const }),
    ...(isIncomplete && { incomplete: true as const }),
    ...(mode !== undefined && { search_mode_used: mode }),
    ...(bestSimilarity !== undefined && { best_similarity: bestSimilarity }),
    ...(hint !== '' && { hint }),
  };
}
