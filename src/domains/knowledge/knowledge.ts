import type { Ingest } from './ingest/ingest.ts';
import type { Libraries } from './libraries/libraries.ts';
import type { DocPages } from './search/doc-pages.ts';
import type { DocSearch } from './search/doc-search.ts';
import type { Templates } from './templates/templates.ts';

/** What the docs say, and what a correct project looks like: the shipped base, and the libraries of a tenant. */
export interface Knowledge {
  readonly search: DocSearch;
  readonly pages: DocPages;
  readonly libraries: Libraries;
  readonly ingest: Ingest;
  readonly templates: Templates;
}
