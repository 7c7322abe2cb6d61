import { z } from 'zod';
import type { Json } from '#kernel/json/canonical.ts';
import { toIso } from '../iso-time.ts';
import { truthLimits } from '../truth-limits.ts';
import type { RecordRow, StoredRecordRow } from './record-store.ts';
import { isMap, parseProperties } from './rules/properties.ts';

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

export interface RecordView {
  readonly id: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, Json>>;
  readonly file_urls: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
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
  .custom<Readonly<Record<string, unknown>>>(isMap, { error: 'must be object' })
  .meta({ type: 'object', additionalProperties: true });

export const fileUrls = z.array(z.string().min(1).max(fileUrlChars)).max(recordFilesCount);

export const embedding = z.array(z.number()).min(1).max(embeddingNumbersCount);

type Properties = RecordView['properties'];

export const recordView = z.object({
  id: z.string(),
  type: z.string(),
  properties: z.custom<Properties>(isMap).meta({ type: 'object', additionalProperties: true }),
  file_urls: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
