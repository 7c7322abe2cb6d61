import type { Settings } from '#config/settings.ts';
import type { Knowledge, KnowledgeDeps } from '#domains/knowledge/knowledge.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Finding } from './finding.ts';

export interface KnowledgeParts extends Pick<KnowledgeDeps, 'storage' | 'clock' | 'ids' | 'log'> {
  readonly settings: Settings;
  readonly finding: Pick<Finding, 'search' | 'meaning' | 'uses'>;
  readonly cursors: () => Cursors;
  /** Folders whose docs the tools may ingest. */
  readonly fileRoots: readonly string[];
}

/** Runs when the first knowledge tool is called: the domain is loaded only then. */
export async function composeKnowledge(parts: KnowledgeParts): Promise<Knowledge> {
  const { settings, finding, cursors, fileRoots, ...rest } = parts;
  const [{ createKnowledge }, { knowledgeDocuments }] = await Promise.all([
    import('#domains/knowledge/knowledge.ts'),
    import('#domains/knowledge/search/collection.ts'),
  ]);
  finding.uses(knowledgeDocuments);
  return createKnowledge({
    ...rest,
    cursors: cursors(),
    search: finding.search,
    meaning: finding.meaning,
    knowledgeDirs: settings.knowledgeDirs,
    writeApplication: async (templates, application) =>
      (await import('./new-application.ts')).newApplication(templates, application),
    access: { roots: fileRoots, forbidden: [settings.home], base: fileRoots[0] ?? process.cwd() },
  });
}
