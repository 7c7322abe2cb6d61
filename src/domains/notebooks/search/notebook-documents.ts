import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { CellRow } from '../pads/cell-store.ts';
import type { PadDeps } from '../pads/pad-context.ts';
import type { PadRow } from '../pads/pad-store.ts';
import { parseTags, uniteTags } from '../pads/pad-tags.ts';
import { authorFacet, authorWordsOf, contextOf } from './item-context.ts';

/** The id of a pad's document is its scratch_id; that of a cell is `<scratch_id>/<cell_id>`. */
export const notebookDocuments = defineCollection({
  name: 'notebooks',
  fields: { title: 3, text: 1, context: 0.5 },
  title: 'title',
  idWeight: 1,
  // A long log with two words of a query answers it better than a short note with one.
  relativeLengthMax: 2,
});

export type NotebookField = 'title' | 'text' | 'context';
export type NotebookDocument = SearchDocument<NotebookField>;

export type MeaningNotes = Pick<SemanticSearch, 'note' | 'forget'>;

export const cellDocumentId = (scratchId: string, id: string): string => `${scratchId}/${id}`;

type IndexedPad = Pick<
  PadRow,
  'scratch_id' | 'namespace_key' | 'title' | 'description' | 'summary' | 'tags' | 'metadata'
>;
type IndexedCell = Pick<CellRow, 'cell_id' | 'tags' | 'metadata' | 'content'>;

export function toPadDocument(pad: IndexedPad): NotebookDocument {
  const tags = parseTags(pad.tags);
  return {
    id: pad.scratch_id,
    fields: {
      title: pad.title ?? '',
      text: [pad.description, pad.summary, ...tags].filter((part) => part !== null).join('\n'),
      context: contextOf(pad.metadata),
    },
    facets: { namespace: pad.namespace_key, tag: tags, scratch: pad.scratch_id },
  };
}

function toTitle(metadata: string): string {
  if (metadata === '{}') return '';
  const { title, description } = JSON.parse(metadata) as Readonly<Record<string, unknown>>;
  return [title, description].filter((part) => typeof part === 'string').join('\n');
}

/** A question about a cell often names its date, its speaker, a tag or the topic of its pad, which the cell itself does not. */
export function toCellDocument(pad: IndexedPad, cell: IndexedCell): NotebookDocument {
  const authors = authorWordsOf(cell.metadata, cell.content);
  const tags = uniteTags(parseTags(pad.tags), parseTags(cell.tags));
  return {
    id: cellDocumentId(pad.scratch_id, cell.cell_id),
    fields: {
      title: toTitle(cell.metadata),
      text: cell.content.slice(0, notebookLimits.documentChars).toWellFormed(),
      context: [contextOf(cell.metadata), pad.title ?? '', contextOf(pad.metadata), ...tags]
        .filter((part) => part !== '')
        .join('\n'),
    },
    facets: {
      namespace: pad.namespace_key,
      tag: tags,
      scratch: pad.scratch_id,
      ...(authors.length > 0 && { [authorFacet]: authors }),
    },
  };
}

export type Documents = ReturnType<typeof createDocuments>;

/** Updates the search documents in the transaction that changes the pads. */
export const createDocuments = ({ search, meaning }: Pick<PadDeps, 'search' | 'meaning'>) => ({
  *put(db: Writer, documents: readonly NotebookDocument[]): Work<void> {
    yield* meaning.note(db, notebookDocuments, ...documents.map(({ id }) => id));
    yield* search.put(db, notebookDocuments, ...documents);
  },
  *drop(db: Writer, ids: readonly string[]): Work<void> {
    yield* meaning.forget(db, notebookDocuments, ...ids);
    yield* search.remove(db, notebookDocuments, ...ids);
  },
});
