import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { CellRow, PadRow } from '../pads/pad-store.ts';
import type { PadsDeps } from '../pads/pads-deps.ts';
import { parseTags } from '../pads/rules/tags.ts';

/** What of pads and cells can be found. A pad is known by its id, a cell by both: `plan/0197…`. */
export const notebookDocuments = defineCollection({
  name: 'notebooks',
  fields: { title: 3, text: 1 },
  title: 'title',
  idWeight: 1,
});

type Field = 'title' | 'text';

/** Says which documents are new and which are gone to whoever searches by meaning. */
export type MeaningNotes = Pick<SemanticSearch, 'note' | 'forget'>;

export const cellDocumentId = (scratchId: string, id: string): string => `${scratchId}/${id}`;

type FoundPad = Pick<PadRow, 'scratch_id' | 'namespace_key' | 'title' | 'description' | 'summary' | 'tags'>;
type FoundCell = Pick<CellRow, 'cell_id' | 'tags' | 'metadata' | 'content'>;

export function toPadDocument(pad: FoundPad): SearchDocument<Field> {
  const tags = parseTags(pad.tags);
  return {
    id: pad.scratch_id,
    fields: {
      title: pad.title ?? '',
      text: [pad.description, pad.summary, ...tags].filter((part) => part !== null).join('\n'),
    },
    facets: { namespace: pad.namespace_key, tag: tags, scratch: pad.scratch_id },
  };
}

function toTitle(metadata: string): string {
  if (metadata === '{}') return '';
  const { title, description } = JSON.parse(metadata) as Readonly<Record<string, unknown>>;
  return [title, description].filter((part) => typeof part === 'string').join('\n');
}

export const toCellDocument = (pad: FoundPad, cell: FoundCell): SearchDocument<Field> => ({
  id: cellDocumentId(pad.scratch_id, cell.cell_id),
  fields: { title: toTitle(cell.metadata), text: cell.content.slice(0, notebookLimits.documentChars).toWellFormed() },
  facets: {
    namespace: pad.namespace_key,
    tag: [...new Set([...parseTags(pad.tags), ...parseTags(cell.tags)])],
    scratch: pad.scratch_id,
  },
});

/** Keeps the documents in step with the pads, in the transaction of whoever changes them. */
export interface Documents {
  put(db: Writer, documents: readonly SearchDocument<Field>[]): Work<void>;
  drop(db: Writer, ids: readonly string[]): Work<void>;
}

export const createDocuments = ({ search, meaning }: Pick<PadsDeps, 'search' | 'meaning'>): Documents => ({
  *put(db, documents) {
    yield* meaning.note(db, notebookDocuments, ...documents.map(({ id }) => id));
    yield* search.put(db, notebookDocuments, ...documents);
  },
  *drop(db, ids) {
    yield* meaning.forget(db, notebookDocuments, ...ids);
    yield* search.remove(db, notebookDocuments, ...ids);
  },
});
