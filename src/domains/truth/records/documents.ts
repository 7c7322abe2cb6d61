import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import type { RecordRow } from './record-store.ts';
import { type Properties, parseProperties } from './rules/properties.ts';
import { propertyKeys, toFacets } from './rules/property-keys.ts';

/** All texts in the properties, at every depth, in their order: what a record is found by. */
export function textOfProperties(properties: Properties): string {
  const texts: string[] = [];
  let left: number = truthLimits.recordTextChars;

  function visit(value: unknown): void {
    if (left <= 0) return;
    if (typeof value === 'string') {
      const text = value.slice(0, left).toWellFormed();
      if (text !== '') texts.push(text);
      left -= text.length + 1;
    } else if (value !== null && typeof value === 'object') {
      for (const item of Object.values(value)) visit(item);
    }
  }

  visit(properties);
  return texts.join('\n');
}

/** What of records can be found. Their ids mean nothing. */
export const recordDocuments = defineCollection({ name: 'records', fields: { type: 1, text: 1 }, idWeight: 0 });

export type RecordDocument = SearchDocument<'type' | 'text'>;
type FoundRecord = Pick<RecordRow, 'record_id' | 'type' | 'properties'>;

export function toRecordDocument({ record_id, type, properties }: FoundRecord): RecordDocument {
  const parsed = parseProperties(properties);
  return {
    id: record_id,
    fields: { type, text: textOfProperties(parsed) },
    facets: toFacets(type, propertyKeys(parsed)),
  };
}

/** What of a record has a meaning. */
export const meaningText = ({ fields }: RecordDocument): string =>
  [fields.type, fields.text].filter((text) => text !== undefined && text !== '').join('\n');

export interface DocumentsDeps {
  readonly search: Pick<SearchIndex, 'put' | 'remove'>;
  readonly meaning: Pick<SemanticSearch, 'note' | 'forget'>;
}

/** Keeps the documents in step with the records, in the transaction of whoever changes them. */
export interface Documents {
  put(db: Writer, row: FoundRecord): Work<void>;
  drop(db: Writer, id: string): Work<void>;
}

export const createDocuments = ({ search, meaning }: DocumentsDeps): Documents => ({
  *put(db, row) {
    yield* meaning.note(db, recordDocuments, row.record_id);
    yield* search.put(db, recordDocuments, toRecordDocument(row));
  },
  *drop(db, id) {
    yield* meaning.forget(db, recordDocuments, id);
    yield* search.remove(db, recordDocuments, id);
  },
});
