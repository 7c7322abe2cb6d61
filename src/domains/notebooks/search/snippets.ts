import type { SearchDocument } from '#kernel/search/collection.ts';
import { highlightField } from '#kernel/search/keyword/query/highlight.ts';
import { parseQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { HybridAnswer } from '#kernel/search/semantic/hybrid-search.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import { cutBeginning } from '#kernel/text/cut-beginning.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { meaningText } from './provide-documents.ts';

type Found = SearchDocument<'title' | 'text'>;

/** How a document was found, as far as a snippet must know. */
export interface Finding {
  /** Undefined: not by its words. */
  readonly how: 'words' | 'substring' | undefined;
  /** The part of its text whose meaning was nearest; undefined: not by meaning. */
  readonly part: number | undefined;
}

/** A window around what was asked for; where no word of it stands, the part that means it; else how it begins. */
export function createSnippets() {
  const stemOf = createStemmer();
  return (query: string, excerpt: HybridAnswer['excerpt']) => {
    const parsed = parseQuery(query, { match: 'any', lastWordIsPrefix: false }, stemOf);
    return (document: Found, { how, part }: Finding): string => {
      const { snippetChars } = notebookLimits;
      if (how !== undefined) {
        const marked = (['text', 'title'] as const)
          .map((field) => highlightField(field, document.fields[field] ?? '', { parsed, how, stemOf }))
          .find((highlight) => highlight !== undefined);
        if (marked !== undefined) return marked.snippet.slice(0, snippetChars);
      }
      const text = meaningText(document);
      return cutBeginning(part === undefined ? text : excerpt(text, part), snippetChars);
    };
  };
}
