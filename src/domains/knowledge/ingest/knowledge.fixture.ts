import type { TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { openToolset } from '#tests/support/open-toolset.ts';
import { createSemanticNotes } from '#tests/support/semantic-notes.ts';
import { ingestTools, libraryTools } from '../knowledge-toolset.ts';
import { createLibraries, type Libraries } from '../libraries/libraries.ts';
import { loadSections } from '../libraries/library-documents.ts';
import { knowledgeDocuments } from '../search/collection.ts';
import type { IngestAnswer } from '../tools/knowledge-ingest.ts';
import { createIngest, type Ingest } from './ingest.ts';
import { readPage } from './read-page.ts';
import type { PageReader } from './read-page-task.ts';

interface KnowledgeFixture {
  readonly libraries: Libraries;
  readonly ingest: Ingest;
}

const toolset = defineToolset<KnowledgeFixture>({
  name: 'knowledge',
  faultForm: 'plain',
  tools: [...ingestTools, ...libraryTools],
});

/** Without the processes of the program. */
export const readHere: PageReader = ({ page, hash }) => readPage(page, hash);

export interface KnowledgeFixtureOptions {
  readonly storage: Storage;
  readonly roots: readonly string[];
  readonly forbidden?: readonly string[];
  readonly clock?: ReturnType<typeof createManualClock>;
}

/** Uses the real invoke, store and search index; only the semantic index is fake. */
export function createKnowledgeFixture({
  storage,
  roots,
  forbidden = [],
  clock = createManualClock(),
}: KnowledgeFixtureOptions) {
  const ids = createIds(clock);
  const log = createLogFixture();
  const search = createSearchIndex({ storage, leases: createLeases({ storage, clock, ids }), clock, ids, log });
  const failure = { onForget: false };
  const { meant, meaning } = createSemanticNotes((what) => {
    if (what === 'forget' && failure.onForget) throw new Error('simulated kill');
  });
  const libraries = createLibraries({
    ...{ storage, clock, ids, log, search },
    cursors: createCursors(Buffer.from('the cursors of a test')),
    meaning: { ...meaning, provide() {} },
  });
  const ingest = createIngest({
    libraries,
    access: { roots, forbidden, base: roots[0] ?? '/' },
    readPage: readHere,
  });
  const door = openToolset(toolset, { libraries, ingest }, { clock, ids });

  function as(tenant: TenantId) {
    const { call, ...mine } = door.as(tenant);
    return {
      ...mine,
      call,
      ingestDocs: (args: unknown) => mine.good<IngestAnswer>('knowledge_ingest', args),
      /** Ids in the index, including those of removed sections. */
      async indexed(text: string): Promise<readonly string[]> {
        const answer = await search.search(call('search_docs'), knowledgeDocuments, { text, limit: 20 });
        return answer.hits.map(({ id }) => id);
      },
      /** Ids of existing sections, best first. */
      async find(text: string, library?: string): Promise<readonly string[]> {
        const answer = await search.search(call('search_docs'), knowledgeDocuments, {
          ...{ text, limit: 20 },
          ...(library === undefined ? {} : { filters: [{ key: 'library', any: [library] }] }),
        });
        const hits = answer.hits.map(({ id }) => id);
        const loaded = await storage.read(call('search_docs'), (db) => loadSections(db, hits, 'fail'));
        return hits.filter((id) => loaded.has(id));
      },
    };
  }

  const { invoke } = door;
  return { libraries, ingest, search, storage, clock, log, meant, failure, invoke, as, close: () => search.close() };
}
