import type { Settings } from '#config/settings.ts';
import type { Knowledge, KnowledgeDeps } from '#domains/knowledge/knowledge.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Search } from './search.ts';

export interface KnowledgeParts extends Pick<KnowledgeDeps, 'storage' | 'clock' | 'ids' | 'log'> {
  readonly settings: Settings;
  readonly search: Pick<Search, 'keyword' | 'semantic' | 'register'>;
  readonly cursors: () => Cursors;
  /** Folders whose docs the tools may ingest. */
  readonly fileRoots: readonly string[];
}

/** Runs when the first knowledge tool is called: the domain is loaded only then. */
export async function composeKnowledge(parts: KnowledgeParts): Promise<Knowledge> {
  const { settings, search, cursors, fileRoots, ...rest } = parts;
  const [{ createKnowledge }, { knowledgeDocuments }] = await Promise.all([
    import('#domains/knowledge/knowledge.ts'),
    import('#domains/knowledge/search/collection.ts'),
  ]);
  search.register(knowledgeDocuments);
  return createKnowledge({
    ...rest,
    cursors: cursors(),
    search: search.keyword,
    meaning: search.semantic,
    knowledgeDirs: settings.knowledgeDirs,
    writeApplication: async (templates, application) =>
      (await import('./new-application.ts')).newApplication(templates, application),
    access: { roots: fileRoots, forbidden: [settings.home], base: fileRoots[0] ?? process.cwd() },
  });
}
