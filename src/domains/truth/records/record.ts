import { z } from 'zod';
import { isObject } from '#kernel/json/is-object.ts';
import { rankingModes } from '#kernel/search/hybrid.ts';
import { offsetField } from '../entities/entity-model.ts';
import { toIso } from '../iso-time.ts';
import { cursorField } from '../list-cursor.ts';
import { truthLimits } from '../truth-limits.ts';
import type { RecordRow, StoredRecordRow } from './record-store.ts';
import { type Properties, parseProperties } from './rules/properties.ts';

type TrashedRecord = Omit<StoredRecordRow, 'record_id' | 'embedding'> & { readonly embedding: string | null };

export function printTrashedRecord({ record_id: _id, embedding, ...row }: StoredRecordRow): string {
  const kept: TrashedRecord = {
    ...row,
    embedding: embedding === null ? null : Buffer.from(embedding).toString('base64'),
  };
  return JSON.stringify(kept);
}

export function parseTrashedRecord(id: string, document: string): StoredRecordRow {
  const { embedding, ...row } = JSON.parse(document) as TrashedRecord;
  return { record_id: id, ...row, embedding: embedding === null ? null : Buffer.from(embedding, 'base64') };
}

export const parseFileUrls = (text: string): readonly string[] => JSON.parse(text) as readonly string[];

export const toRecordView = (row: RecordRow): RecordView => ({
  id: row.record_id,
  type: row.type,
  properties: parseProperties(row.properties),
  file_urls: parseFileUrls(row.file_urls),
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

const { typeChars, recordFilesCount, fileUrlChars, embeddingNumbersCount, recordIdChars } = truthLimits;

/** Any text: an unknown id is not found. */
export const recordId = z.string().min(1).max(recordIdChars);

export const recordType = z.string().max(typeChars).regex(/\S/, 'must not be blank');

/** Passes the object itself on: a copy by the parser would silently drop a key called `__proto__`. */
export const propertyMap = z
  .custom<Readonly<Record<string, unknown>>>(isObject, { error: 'must be object' })
  .meta({ type: 'object', additionalProperties: true });

export const fileUrls = z.array(z.string().min(1).max(fileUrlChars)).max(recordFilesCount);

export const embedding = z.array(z.number()).min(1).max(embeddingNumbersCount);

export const recordView = z.object({
  id: z.string(),
  type: z.string(),
  properties: z.custom<Properties>(isObject).meta({ type: 'object', additionalProperties: true }),
  file_urls: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type RecordView = Readonly<Omit<z.output<typeof recordView>, 'file_urls'>> & {
  readonly file_urls: readonly string[];
};

export const storeInput = z.strictObject({
  type: recordType,
  properties: propertyMap,
  file_urls: fileUrls.optional(),
  embedding: embedding.optional().describe('From your own model; searchable with query_embedding'),
});
export type StoreInput = z.output<typeof storeInput>;

const searchModes = ['semantic', 'keyword', 'both'] as const;
export type SearchMode = (typeof searchModes)[number];

export const retrieveInput = z.strictObject({
  type: recordType.optional(),
  properties: propertyMap.optional().describe('All must equal the given values'),
  limit: z.int().min(1).max(truthLimits.listCount).default(truthLimits.recordsDefaultCount),
  offset: offsetField,
  search: z
    .array(z.string().max(truthLimits.termChars).regex(/\S/, 'must not be blank'))
    .max(truthLimits.termsCount)
    .optional(),
  query: z
    .string()
    .max(truthLimits.queryChars)
    .regex(/\S/, 'must not be blank')
    .optional()
    .describe('Instead of search; the answer ends where the relevance ends'),
  // The defaults of the documented fields depend on whether there is a query.
  search_mode: z.enum(searchModes).optional().meta({ default: 'both' }),
  mode: z.enum(rankingModes).optional().describe('Instead of search_mode'),
  similarity_threshold: z.number().min(0).max(1).optional().meta({
    default: 0.7,
    description: '0.7 separates relevant from irrelevant texts; with query_embedding it is a cosine',
  }),
  query_embedding: embedding.optional(),
  cursor: cursorField.optional().describe('`next_cursor` of the previous page'),
  brief: z.boolean().default(false).describe('Cuts long values'),
  details: z.boolean().default(false).describe('Adds the raw cosine to each semantic hit'),
});
export type RetrieveInput = z.output<typeof retrieveInput>;

export const retrieveAnswer = z.object({
  records: z.array(
    recordView.extend({
      similarity: z.number().optional(),
      relevance: z.number().optional().describe('From 0 to 1: how clearly it is about the query'),
      shortened: z.literal(true).optional().describe('With brief: a value was cut'),
      details: z.object({ cosine: z.number() }).optional(),
    }),
  ),
  total: z.int().describe('Number of matches before the limit, counted up to a maximum'),
  search_mode_used: z.enum(searchModes).optional(),
  similarity_scale: z
    .enum(['calibrated', 'cosine'])
    .optional()
    .describe('cosine: for query_embedding, and for a model without a calibration'),
  pending: z.int().optional().describe('Records that are not embedded yet'),
  best_similarity: z.number().optional().describe('If nothing was found: of the most similar record'),
  truncated: z.literal(true).optional().describe('A higher offset returns the rest'),
  hint: z.string().optional(),
  next_cursor: z.string().optional(),
});

export interface RetrieveAnswer extends Omit<z.output<typeof retrieveAnswer>, 'records'> {
  readonly records: readonly (RecordView & {
    readonly similarity?: number;
    readonly relevance?: number;
    readonly shortened?: true;
    readonly details?: { readonly cosine: number };
  })[];
}
