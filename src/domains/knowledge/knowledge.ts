import type { Clock } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Log } from '#kernel/log/log.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openBase, shippedDirectory } from './base/knowledge-base.ts';
import { KnowledgeLoader } from './base/knowledge-loader.ts';
import { createIngest, type Ingest } from './ingest/ingest.ts';
import type { PageReader } from './ingest/read-page-task.ts';
import type { SourceAccess } from './ingest/sources/page-source.ts';
import { createLibraries, type Libraries } from './libraries/libraries.ts';
import { createProjectLock } from './libraries/project-lock.ts';
import { createDocPages, type DocPages } from './search/doc-pages.ts';
import { createDocSearch, type DocSearch } from './search/doc-search.ts';
import { createLibrarySections } from './search/library-sections.ts';
import { createTemplates, type TemplateRequest, type Templates } from './templates/templates.ts';
import type { WrittenApplication } from './tools/knowledge-new.ts';

export interface Knowledge {
  readonly search: DocSearch;
  readonly pages: DocPages;
  readonly libraries: Libraries;
  readonly ingest: Ingest;
  readonly templates: Templates;
  /** Looked up once, in the lock file of the project. */
  readonly usesFeathers: () => Promise<boolean>;
  /** Folders that must not be ingested: the program's own data. */
  readonly forbiddenRoots: readonly string[];
  writeApplication(application: NewApplication): Promise<WrittenApplication>;
}

export interface NewApplication extends TemplateRequest {
  readonly folder: string;
  readonly dryRun: boolean;
  /** Replace existing files. */
  readonly force: boolean;
}

export interface KnowledgeDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly cursors: Cursors;
  readonly search: SearchIndex;
  readonly meaning: SemanticSearch;
  /** Searched and read in addition to the shipped base. */
  readonly knowledgeDirs: readonly string[];
  /** What `knowledge_ingest` may read. */
  readonly access: SourceAccess;
  readonly readPage: PageReader;
  writeApplication(templates: Templates, application: NewApplication): Promise<WrittenApplication>;
}

function lazy<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

export function createKnowledge({
  knowledgeDirs,
  access,
  readPage,
  writeApplication,
  ...deps
}: KnowledgeDeps): Knowledge {
  const { storage, search, meaning, log } = deps;
  const directories = [shippedDirectory, ...knowledgeDirs];
  const loader = new KnowledgeLoader({ directories, log });
  const base = lazy(() => openBase(directories, log));
  const sections = createLibrarySections({ storage });
  const lock = createProjectLock({
    folder: access.roots?.length === 0 ? undefined : access.base,
    forbidden: access.forbidden,
    clock: deps.clock,
  });
  const libraries = createLibraries(deps);
  const templates = createTemplates({ loadFragments: lazy(() => loader.load('templates')) });
  return {
    search: createDocSearch({ base, search, meaning, libraries: sections, lock, cursors: deps.cursors }),
    pages: createDocPages({ base, libraries: sections, cursors: deps.cursors }),
    libraries,
    ingest: createIngest({ libraries, access, readPage }),
    templates,
    usesFeathers: lazy(async () => (await lock.versionOf('@feathersjs/feathers')) !== undefined),
    forbiddenRoots: access.forbidden,
    writeApplication: (application) => writeApplication(templates, application),
  };
}
