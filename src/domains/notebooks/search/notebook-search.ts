import type { Call } from '#kernel/call.ts';
import { createPacer } from '#kernel/clock/yield-to-event-loop.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { SearchDocument } from '#kernel/search/collection.ts';
import { type HybridAnswer, hybridProfiles, hybridSearch } from '#kernel/search/hybrid.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import { highlightField } from '#kernel/search/keyword/query/highlight.ts';
import { parseQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { PendingDocuments, SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { cutBeginning } from '#kernel/text/budget.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { embeddedText, loadDocuments, provideDocuments } from './document-source.ts';
import { notebookDocuments } from './notebook-documents.ts';
import { findNamespaceKeys } from './notebook-search-store.ts';

interface Match {
  /** Undefined when keyword search did not find the document. */
  readonly how: 'words' | 'substring' | undefined;
  /** The nearest part of the text; undefined when semantic search did not find the document. */
  readonly part: number | undefined;
}

/** The text around the query's words; without any, the part nearest in meaning, or the beginning. */
export function createSnippets() {
  const stemOf = createStemmer();
  return (query: string, excerpt: HybridAnswer['excerpt']) => {
    const parsed = parseQuery(query, { match: 'any', lastWordIsPrefix: false }, stemOf);
    return (document: SearchDocument<'title' | 'text'>, { how, part }: Match): string => {
      const { snippetChars } = notebookLimits;
      if (how !== undefined) {
        const marked = (['text', 'title'] as const)
          .map((field) => highlightField(field, document.fields[field] ?? '', { parsed, how, stemOf }))
          .find((highlight) => highlight !== undefined);
        if (marked !== undefined) return marked.snippet.slice(0, snippetChars);
      }
      const text = embeddedText(document);
      return cutBeginning(part === undefined ? text : excerpt(text, part), snippetChars);
    };
  };
}

export interface NotebookQuery {
  readonly query: string;
  readonly namespaces?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly limit: number;
}

export interface NotebookSearchDeps {
  readonly storage: Storage;
  readonly search: SearchIndex;
  readonly meaning: SemanticSearch;
  readonly semanticSearch: boolean;
}

const isGiven = (list: readonly string[] | undefined): list is readonly string[] =>
  list !== undefined && list.length > 0;

const switchedOff =
  'Search over scratchpads is switched off: set semanticSearch to true (FOURFOLD_SEMANTIC_SEARCH or SCRATCH_NOTEBOOK_ENABLE_SEMANTIC_SEARCH) and restart';

function toHint({ hints }: HybridAnswer, { namespaces, tags }: NotebookQuery, isNamespaceKnown: boolean): string {
  if (!isNamespaceKnown) return 'No namespace has that name; scratch_namespace_list shows them.';
  const filters = isGiven(namespaces) || isGiven(tags) ? ' Try it without namespaces and tags.' : '';
  const near = hints.length === 0 ? ' Try other or fewer words.' : ` Similar indexed words: ${hints.join(', ')}.`;
  return `Nothing was found.${near}${filters}`;
}

function toPendingHint({ count, isMore }: PendingDocuments, hitsCount: number): string {
  const texts = isMore
    ? `More than ${count} texts are waiting`
    : `${count} ${count === 1 ? 'text is waiting' : 'texts are waiting'}`;
  const found = hitsCount === 0 ? 'Nothing was found yet. ' : '';
  return `${found}${texts} to be embedded; until then only keyword search finds them. Try again later.`;
}

const nothingWaits: PendingDocuments = { count: 0, isMore: false };

export type NotebookSearch = ReturnType<typeof createNotebookSearch>;

export function createNotebookSearch(deps: NotebookSearchDeps) {
  const { storage, search: index, meaning, semanticSearch } = deps;
  const snippetsFor = createSnippets();
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

  async function toHits({ hits, excerpt }: HybridAnswer, query: string, call: Call) {
    const snippetOf = snippetsFor(query, excerpt);
    const pace = createPacer(notebookLimits.hitsSliceMs, call.signal);
    const shown = [];
    // In small batches: a store reads a whole cell of megabytes even for its beginning.
    for (let at = 0; at < hits.length; at += notebookLimits.readHitsCount) {
      const some = hits.slice(at, at + notebookLimits.readHitsCount);
      const ids = some.map(({ id }) => id);
      const loaded = await storage.read(call, (db) => loadDocuments(db, ids));
      for (const { id, score, keyword, semantic } of some) {
        const found = loaded.get(id);
        // Deleted meanwhile.
        if (found === undefined) continue;
        const { scratchId, cellId, namespace, tags, document } = found;
        const snippet = snippetOf(document, { how: keyword?.why.how, part: semantic?.part });
        shown.push({ scratch_id: scratchId, cell_id: cellId, namespace, tags, score, snippet });
        await pace();
      }
    }
    return shown;
  }

  return {
    async find(query: NotebookQuery, call: Call) {
      if (!semanticSearch) throw faults.CONFIG_ERROR({ why: switchedOff });
      const filters = await toFilters(query, call);
      const answer = await hybridSearch(
        { index, semantic: meaning, profile: hybridProfiles.notebooks },
        call,
        notebookDocuments,
        {
          text: query.query,
          limit: query.limit,
          filters: filters ?? [{ key: 'namespace', any: [] }],
        },
      );
      const hits = await toHits(answer, query.query, call);
      const isFew = hits.length < Math.min(query.limit, notebookLimits.fewHitsCount);
      const isAsked = isFew && filters !== undefined && answer.embedder !== null;
      const waiting = isAsked ? await meaning.waiting(call, notebookDocuments) : nothingWaits;
      return {
        ok: true as const,
        hits,
        embedder: answer.embedder,
        mode: answer.embedder === null ? ('keyword' as const) : ('hybrid' as const),
        ...(waiting.count > 0
          ? { pending: waiting.count, hint: toPendingHint(waiting, hits.length) }
          : hits.length === 0 && { hint: toHint(answer, query, filters !== undefined) }),
      };
    },
  };
}
