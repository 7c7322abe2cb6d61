import type { Json } from '#kernel/json/canonical.ts';
import { toIso } from '../times.ts';
import type { RecordRow } from './record-store.ts';
import { parseProperties } from './rules/properties.ts';

/** A record as the document shows it. */
export interface ShownRecord {
  readonly id: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, Json>>;
  readonly file_urls: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

export const parseFileUrls = (text: string): readonly string[] => JSON.parse(text) as readonly string[];

export const toRecord = (row: RecordRow): ShownRecord => ({
  id: row.record_id,
  type: row.type,
  properties: parseProperties(row.properties),
  file_urls: parseFileUrls(row.file_urls),
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});
