import type { Ingest } from './ingest/ingest.ts';
import type { Libraries } from './libraries/libraries.ts';
import type { DocPages } from './search/doc-pages.ts';
import type { DocSearch } from './search/doc-search.ts';
import type { TemplateRequest, Templates } from './templates/templates.ts';

/** What the docs say, and what a correct project looks like: the shipped base, and the libraries of a tenant. */
export interface Knowledge {
  readonly search: DocSearch;
  readonly pages: DocPages;
  readonly libraries: Libraries;
  readonly ingest: Ingest;
  readonly templates: Templates;
  /** Folders that no command may read docs from: the program's own data. */
  readonly forbiddenRoots: readonly string[];
  /** Writes a new application to disk. */
  writeApplication(application: NewApplication): Promise<WrittenApplication>;
}

export interface NewApplication extends TemplateRequest {
  readonly folder: string;
  readonly dryRun: boolean;
  /** Replaces files that exist. */
  readonly force: boolean;
}

export interface WrittenApplication {
  readonly folder: string;
  readonly files: readonly string[];
  readonly replaced: readonly string[];
  readonly dryRun: boolean;
  readonly next: string;
}
