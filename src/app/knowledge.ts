import type { Settings } from '#config/settings.ts';
import type { Knowledge, KnowledgeDeps } from '#domains/knowledge/knowledge.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { ShownRoots } from '#kernel/paths/allowed-roots.ts';
import { once } from './once.ts';
import type { Search } from './search.ts';

export interface ComposedKnowledge extends Knowledge {
  close(): Promise<void>;
}

export interface KnowledgeParts extends Pick<KnowledgeDeps, 'storage' | 'clock' | 'ids' | 'log'> {
  readonly settings: Settings;
  readonly search: Pick<Search, 'keyword' | 'semantic' | 'register'>;
  readonly cursors: () => Cursors;
  /** Folders whose docs the tools may ingest. */
  readonly fileRoots: ShownRoots;
}

/** Runs when the first knowledge tool is called: the domain is loaded only then. */
export async function composeKnowledge(parts: KnowledgeParts): Promise<ComposedKnowledge> {
  const { settings, search, cursors, fileRoots, ...rest } = parts;
  const [{ createKnowledge }, { knowledgeDocuments }, { createPageReader }] = await Promise.all([
    import('#domains/knowledge/knowledge.ts'),
    import('#domains/knowledge/search/collection.ts'),
    import('#domains/knowledge/ingest/read-page-task.ts'),
  ]);
  search.register(knowledgeDocuments);
  const workers = once(async () => (await import('./ingest-workers.ts')).createIngestWorkers());
  const knowledge = createKnowledge({
    ...rest,
    cursors: cursors(),
    search: search.keyword,
    meaning: search.semantic,
    knowledgeDirs: settings.knowledgeDirs,
    writeApplication: async (templates, application) =>
      (await import('./new-application.ts')).newApplication(templates, application),
    access: { ...fileRoots, forbidden: [settings.home], base: fileRoots.roots[0] ?? process.cwd() },
    readPage: createPageReader(workers),
  });
  return { ...knowledge, close: async () => (await workers.peek())?.close() };
}
