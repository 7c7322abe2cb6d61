import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { createPacer } from '#kernel/clock/yield-to-event-loop.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import {
  byWordsOnly,
  type HybridAnswer,
  type HybridHit,
  hasWords,
  hybridProfiles,
  hybridSearch,
  queryHints,
  type RankingMode,
} from '#kernel/search/hybrid.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import { highlightField } from '#kernel/search/keyword/query/highlight.ts';
import { parseQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { HitKey } from '#kernel/search/keyword/query/search-parts.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import type { PendingDocuments, SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { cutBeginning } from '#kernel/text/budget.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { createCellOrder } from './cell-order.ts';
import { embeddedText, loadDocuments, provideDocuments, toDocumentKey } from './document-source.ts';
import { findNewestCells, type NewestCells } from './newest-cells.ts';
import { createNoteAuthors } from './note-authors.ts';
import { type NotebookDocument, notebookDocuments } from './notebook-documents.ts';
import { findNamespaceKeys, findSomePad } from './notebook-search-store.ts';

interface Match {
  /** Undefined when keyword search did not find the document. */
  readonly how: 'words' | 'substring' | undefined;
  /** The nearest part of the text; undefined when semantic search did not find the document. */
  readonly part: number | undefined;
}

/** The text around the query's words; without any, the part nearest in meaning, or the beginning. */
export function createSnippets() {
  const stemOf = createStemmer();
  return (query: string, excerpt: HybridAnswer['excerpt'], wideChars?: number) => {
    const parsed = parseQuery(query, { match: 'any', lastWordIsPrefix: false }, stemOf);
    const wide = wideChars === undefined ? {} : { snippetChars: wideChars, markedChars: wideChars * 0.7 };
    const maxChars = wideChars === undefined ? notebookLimits.snippetChars : wideChars + 2;
    return (document: NotebookDocument, { how, part }: Match): string => {
      if (how !== undefined) {
        const marked = (['text', 'title'] as const)
          .map((field) => highlightField(field, document.fields[field] ?? '', { parsed, how, stemOf, ...wide }))
          .find((highlight) => highlight !== undefined);
        if (marked !== undefined) return marked.snippet.slice(0, maxChars);
      }
      const text = embeddedText(document);
      return cutBeginning(part === undefined ? text : excerpt(text, part), maxChars);
    };
  };
}

export interface NotebookQuery {
  /** Absent, blank or `*`: the newest cells that pass the filters. */
  readonly query?: string | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly limit: number;
  readonly mode?: RankingMode | undefined;
  /** Cells before and after each hit. */
  readonly context?: number | undefined;
  readonly cursor?: string | undefined;
  /** Searches by words where search over scratchpads is switched off. */
  readonly wordsIfOff?: boolean | undefined;
  /** A text up to this length is returned whole instead of a snippet. */
  readonly wholeChars?: number | undefined;
  /** Only so many of the best hits; of the others, those that are not longer than a snippet. */
  readonly wholeCount?: number | undefined;
  /** The length of the snippet of a longer text. */
  readonly snippetChars?: number | undefined;
}

export interface NotebookSearchDeps {
  readonly storage: Storage;
  readonly search: SearchIndex;
  readonly meaning: SemanticSearch;
  readonly cursors: Pick<Cursors, 'seal' | 'open'>;
  readonly semanticSearch: boolean;
}

/** Begins the hint of a search that found nothing. */
export const nothingFound = 'Nothing was found.';
const noWords =
  'The query has no word to search for: add one, or give tags or namespaces without a query to list their newest cells.';
const tooMany = 'There are too many cells to put all in order: add words to the query.';
const endsHere = `The ranking ends here, with the best ${searchLimits.hybridWindowCount} matches by words and by meaning. There are more: add words, tags or namespaces.`;
const noPads = 'There are no scratchpads yet: remember keeps a note, scratch_append_cell adds a cell.';

const isGiven = (list: readonly string[] | undefined): list is readonly string[] =>
  list !== undefined && list.length > 0;

const switchedOff =
  'Search over scratchpads is switched off: set semanticSearch to true (FOURFOLD_SEMANTIC_SEARCH or SCRATCH_NOTEBOOK_ENABLE_SEMANTIC_SEARCH) and restart';

const searchOffFix =
  'recall still finds notes by their words; scratch_list and scratch_list_cells show what there is. The operator sets FOURFOLD_SEMANTIC_SEARCH=1 and restarts the server.';

/** Whether only the filters choose. */
const isListing = ({ query = '', namespaces, tags }: NotebookQuery): boolean =>
  /^[\s*]*$/.test(query) && (isGiven(namespaces) || isGiven(tags));

function toHint({ hints }: HybridAnswer, query: NotebookQuery, isNamespaceKnown: boolean): string {
  const { namespaces, tags } = query;
  if (!isNamespaceKnown) return 'No namespace has that name; scratch_namespace_list shows them.';
  if (isListing(query)) return `${nothingFound} scratch_list_tags shows the tags.`;
  if (!hasWords(query.query ?? '')) return `${nothingFound} ${noWords}`;
  const filters = isGiven(namespaces) || isGiven(tags) ? ' Try it without namespaces and tags.' : '';
  const near = hints.length === 0 ? ' Try other or fewer words.' : ` Similar indexed words: ${hints.join(', ')}.`;
  return `${nothingFound}${near}${filters}`;
}

function toPendingHint({ count, isMore }: PendingDocuments, hitsCount: number): string {
  const texts = isMore
    ? `More than ${count} texts are waiting`
    : `${count} ${count === 1 ? 'text is waiting' : 'texts are waiting'}`;
  const found = hitsCount === 0 ? 'Nothing was found yet. ' : '';
  return `${found}${texts} to be embedded; until then only keyword search finds them. Try again later.`;
}

const nothingWaits: PendingDocuments = { count: 0, isMore: false };

/** Ties a cursor to its search. */
const fingerprintOf = ({ query = '', namespaces = [], tags = [], mode = 'hybrid' }: NotebookQuery): string =>
  sha256Hex(JSON.stringify([query, namespaces, tags, mode])).slice(0, 16);

const cursorState = z.object({
  of: z.string(),
  mode: z.enum(['words', 'meaning', 'hybrid']),
  after: z.object({ score: z.number(), id: z.string() }),
});

export type NotebookSearch = ReturnType<typeof createNotebookSearch>;

export function createNotebookSearch(deps: NotebookSearchDeps) {
  const { storage, search: index, meaning, cursors, semanticSearch } = deps;
  const snippetsFor = createSnippets();
  const order = createCellOrder(storage);
  provideDocuments(deps);

  /** Undefined when none of the namespaces exists. */
  async function toFilters(
    { namespaces, tags }: NotebookQuery,
    call: Call,
  ): Promise<readonly FacetFilter[] | undefined> {
    const filters: FacetFilter[] = isGiven(tags) ? [{ key: 'tag', any: tags }] : [];
    if (!isGiven(namespaces)) return filters;
    const rows = await storage.read(call, (db) => findNamespaceKeys(db, namespaces));
    if (rows.length === 0) return undefined;
    return [...filters, { key: 'namespace', any: rows.map(({ namespace_key }) => namespace_key) }];
  }

  function openCursor(query: NotebookQuery, call: Call): { readonly after?: HitKey; readonly mode: RankingMode } {
    const { cursor, mode = 'hybrid' } = query;
    if (cursor === undefined) return { mode };
    const state = cursorState.safeParse(cursors.open(call.tool, call.tenant, cursor));
    if (!state.success || state.data.of !== fingerprintOf(query)) {
      const why = 'the cursor belongs to another search; start again without it';
      throw faults.INVALID_PARAMS({ why }, { field: 'cursor' });
    }
    // Continues in the mode of the first page.
    return { after: state.data.after, mode: state.data.mode };
  }

  async function toHits(
    { hits, excerpt }: HybridAnswer,
    { query = '', wholeChars = 0, wholeCount = Number.POSITIVE_INFINITY, snippetChars = 0 }: NotebookQuery,
    call: Call,
  ) {
    const snippetOf = snippetsFor(query, excerpt, snippetChars === 0 ? undefined : snippetChars);
    const pace = createPacer(notebookLimits.hitsSliceMs, call.signal);
    const shown = [];
    // In small batches: a store reads a whole cell of megabytes even for its beginning.
    for (let at = 0; at < hits.length; at += notebookLimits.readHitsCount) {
      const some = hits.slice(at, at + notebookLimits.readHitsCount);
      const ids = some.map(({ id }) => id);
      const loaded = await storage.read(call, (db) => loadDocuments(db, ids));
      for (const { id, score, relevance, keyword, semantic, isPending } of some) {
        const found = loaded.get(id);
        // Deleted meanwhile.
        if (found === undefined) continue;
        const { scratchId, cellId, namespace, title, tags, document } = found;
        const { text = '' } = document.fields;
        const wholeMax: number = shown.length < wholeCount ? wholeChars : Math.min(wholeChars, snippetChars);
        const isWhole = text !== '' && text.length <= wholeMax;
        const snippet = isWhole ? text : snippetOf(document, { how: keyword?.why.how, part: semantic?.part });
        const waits = isPending ? { pending: true as const } : {};
        const named = cellId === null || title === null ? {} : { title };
        const of = { scratch_id: scratchId, cell_id: cellId, namespace, ...named, tags };
        const hit = { ...of, score, relevance, ...waits, snippet };
        shown.push({ id, hit });
        await pace();
      }
    }
    return shown;
  }

  /** The beginnings of the cells around each hit, in their order. */
  async function loadContext(hits: readonly Pick<HybridHit, 'id'>[], reach: number, call: Call) {
    const around = await order.around(
      call,
      hits.map(({ id }) => id),
      reach,
    );
    const ids = [...around.values()].flatMap(({ before, after }) => [...before, ...after]);
    const texts = new Map<string, string>();
    const wanted = [...new Set(ids)].filter((id) => id !== undefined);
    for (let at = 0; at < wanted.length; at += notebookLimits.readDocumentsCount) {
      const some = wanted.slice(at, at + notebookLimits.readDocumentsCount);
      for (const [id, { document }] of await storage.read(call, (db) => loadDocuments(db, some))) {
        texts.set(id, cutBeginning(embeddedText(document), notebookLimits.contextChars));
      }
    }
    const toCells = (found: readonly (string | undefined)[] = []) =>
      found.flatMap((id) => {
        const snippet = id === undefined ? undefined : texts.get(id);
        return snippet === undefined ? [] : [{ cell_id: toDocumentKey(id!).cellId!, snippet }];
      });
    return (id: string) => ({
      before: toCells(around.get(id)?.before.toReversed()),
      after: toCells(around.get(id)?.after),
    });
  }

  const isEmpty = async (call: Call): Promise<boolean> =>
    (await storage.read(call, (db) => findSomePad(db))) === undefined;

  function toCursor(query: NotebookQuery, { next, mode }: HybridAnswer, call: Call): { next_cursor?: string } {
    if (next === undefined) return {};
    const state = { of: fingerprintOf(query), mode, after: next };
    return { next_cursor: cursors.seal(call.tool, call.tenant, state) };
  }

  /** By the query, or without one by time. */
  async function rank(
    query: NotebookQuery,
    filters: readonly FacetFilter[],
    start: ReturnType<typeof openCursor>,
    call: Call,
  ): Promise<NewestCells> {
    const { limit } = query;
    if (isListing(query)) {
      const { after } = start;
      return findNewestCells({ storage, index }, call, { filters, limit, ...(after && { after }) });
    }
    const ranking = { index, semantic: meaning, profile: hybridProfiles.notebooks, order };
    const text = query.query ?? '';
    const answer = await hybridSearch(ranking, call, notebookDocuments, { ...start, text, limit, filters });
    return { answer, isPartial: false };
  }

  return {
    authors: createNoteAuthors(storage),
    async find(query: NotebookQuery, call: Call) {
      if (!semanticSearch && query.wordsIfOff !== true)
        throw faults.CONFIG_ERROR({ why: switchedOff }, { fix: searchOffFix });
      const start = openCursor(query, call);
      const filters = await toFilters(query, call);
      const { answer, isPartial } = await rank(query, filters ?? [{ key: 'namespace', any: [] }], start, call);
      if (!isListing(query) && start.after !== undefined && answer.mode !== start.mode) {
        // Continuing in another ranking would skip some cells and repeat others.
        const why = 'the search cannot continue because the embedder does not answer; search again without the cursor';
        throw faults.INVALID_PARAMS({ why }, { field: 'cursor' });
      }
      const found = await toHits(answer, query, call);
      const { context = 0 } = query;
      const contextOf = context === 0 ? undefined : await loadContext(found, context, call);
      const hits = found.map(({ id, hit }) => ({ ...hit, ...contextOf?.(id) }));
      const isWordless = !isListing(query) && !hasWords(query.query ?? '');
      const isMeant = answer.mode !== 'words' || (isWordless && query.mode !== 'words');
      const isAsked = filters !== undefined && isMeant;
      const waiting = isAsked ? await meaning.waiting(call, notebookDocuments) : nothingWaits;
      const isFew = hits.length < Math.min(query.limit, notebookLimits.fewHitsCount);
      const hints = [
        ...(waiting.count > 0 && isFew && !isWordless ? [toPendingHint(waiting, hits.length)] : []),
        ...((waiting.count === 0 || isWordless) && hits.length === 0
          ? [(await isEmpty(call)) ? noPads : toHint(answer, query, filters !== undefined)]
          : []),
        ...(isPartial ? [tooMany] : []),
        ...(answer.isCut === true && answer.next === undefined ? [endsHere] : []),
        ...(answer.leftOutCount > 0 ? [queryHints.long] : []),
        ...(answer.missing !== undefined && (answer.missing !== 'embedder' || query.mode !== undefined)
          ? [byWordsOnly[answer.missing]]
          : []),
      ];
      return {
        ok: true as const,
        hits,
        embedder: answer.embedder,
        mode: answer.mode,
        ...(waiting.count > 0 && { pending: waiting.count }),
        ...(hints.length > 0 && { hint: hints.join(' ') }),
        ...toCursor(query, answer, call),
      };
    },
  };
}
