import type { Settings } from '#config/settings.ts';
import type { Knowledge } from '#domains/knowledge/knowledge.ts';
import type { KnowledgeDeps } from '#domains/knowledge/knowledge-deps.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { once } from './once.ts';
import type { Search } from './search.ts';

export interface KnowledgeParts extends KnowledgeDeps {
  readonly settings: Settings;
  readonly search: Pick<Search, 'keyword' | 'semantic' | 'register'>;
  readonly cursors: () => Cursors;
  /** Folders whose docs the tools may take in. */
  readonly fileRoots: readonly string[];
}

export interface ComposedKnowledge extends Knowledge {
  close(): Promise<void>;
}

/** Puts the memory together when the first of its tools is called. */
export async function composeKnowledge(parts: KnowledgeParts): Promise<ComposedKnowledge> {
  const { settings, search: searches, cursors, fileRoots, ...rest } = parts;
  const [
    { openBase },
    { shippedDirectory },
    { createDocSearch },
    { createDocPages },
    { createLibrarySections },
    { knowledgeDocuments },
    { createLibraries },
    { createIngest },
    { createTemplates },
    { KnowledgeLoader },
  ] = await Promise.all([
    import('#domains/knowledge/base/open-base.ts'),
    import('#domains/knowledge/base/shipped-directory.ts'),
    import('#domains/knowledge/search/create-doc-search.ts'),
    import('#domains/knowledge/search/doc-pages.ts'),
    import('#domains/knowledge/search/library-sections.ts'),
    import('#domains/knowledge/search/collection.ts'),
    import('#domains/knowledge/libraries/libraries.ts'),
    import('#domains/knowledge/ingest/ingest.ts'),
    import('#domains/knowledge/templates/templates.ts'),
    import('#domains/knowledge/base/knowledge-loader.ts'),
  ]);
  const { keyword: search, semantic: meaning } = searches;
  const directories = [shippedDirectory, ...settings.knowledgeDirs];
  const loader = new KnowledgeLoader({ directories, log: rest.log });
  const base = once(() => openBase(directories, rest.log));
  const sections = createLibrarySections(rest);
  const libraries = createLibraries({ ...rest, cursors: cursors(), search, meaning });
  searches.register(knowledgeDocuments);
  const access = { roots: fileRoots, forbidden: [settings.home], base: fileRoots[0] ?? process.cwd() };

  const templates = createTemplates({ loadFragments: once(() => loader.load('templates')) });

  return {
    search: createDocSearch({ base, search, meaning, libraries: sections }),
    pages: createDocPages({ base, libraries: sections }),
    libraries,
    ingest: createIngest({ libraries, access }),
    templates,
    forbiddenRoots: [settings.home],
    writeApplication: async (application) =>
      (await import('./new-application.ts')).newApplication(templates, application),
    async close() {},
  };
}
