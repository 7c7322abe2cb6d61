import type { TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { createKeptLog } from '#kernel/log/log.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { openFamilyDoor } from '#tests/support/family-door.ts';
import { createSemanticNotes } from '#tests/support/semantic-notes.ts';
import { ingestTools, libraryTools } from '../knowledge-toolset.ts';
import { createLibraries, type Libraries } from '../libraries/libraries.ts';
import { loadSections } from '../libraries/load-sections.ts';
import { knowledgeDocuments } from '../search/collection.ts';
import { createIngest, type Ingest, type IngestAnswer } from './ingest.ts';

interface Planted {
  readonly libraries: Libraries;
  readonly ingest: Ingest;
}

const toolset = defineToolset<Planted>({
  name: 'knowledge',
  faultForm: 'plain',
  tools: [...ingestTools, ...libraryTools],
});

export interface PlantedOptions {
  readonly storage: Storage;
  /** What the tools may read. */
  readonly roots: readonly string[];
  readonly forbidden?: readonly string[];
  readonly clock?: ReturnType<typeof createManualClock>;
}

/** The real door, store and search index with the tools of libraries behind it; only vectors are planted. */
export function plantKnowledge({ storage, roots, forbidden = [], clock = createManualClock() }: PlantedOptions) {
  const ids = createIds(clock);
  const log = createKeptLog();
  const search = createSearchIndex({ storage, leases: createLeases({ storage, clock, ids }), clock, ids, log });
  const trouble = { isForgetting: true };
  const { meant, meaning } = createSemanticNotes((what) => {
    if (what === 'forget' && !trouble.isForgetting) throw new Error('planted: the process is killed here');
  });
  const libraries = createLibraries({
    ...{ storage, clock, ids, log, search },
    cursors: createCursors(Buffer.from('the cursors of a test')),
    meaning: { ...meaning, provide() {} },
  });
  const ingest = createIngest({ libraries, access: { roots, forbidden, base: roots[0] ?? '/' } });
  const door = openFamilyDoor(toolset, { libraries, ingest }, { clock, ids });

  /** Of one tenant. */
  function as(tenant: TenantId) {
    const { call, ...mine } = door.as(tenant);
    return {
      ...mine,
      call,
      take: (args: unknown) => mine.good<IngestAnswer>('knowledge_ingest', args),
      /** Ids in the index, also of what is not there any more. */
      async indexed(text: string): Promise<readonly string[]> {
        const answer = await search.search(call('search_docs'), knowledgeDocuments, { text, limit: 20 });
        return answer.hits.map(({ id }) => id);
      },
      /** Ids of sections, best first. */
      async find(text: string, library?: string): Promise<readonly string[]> {
        const answer = await search.search(call('search_docs'), knowledgeDocuments, {
          ...{ text, limit: 20 },
          ...(library === undefined ? {} : { filters: [{ key: 'library', any: [library] }] }),
        });
        const hits = answer.hits.map(({ id }) => id);
        const loaded = await storage.read(call('search_docs'), (db) => loadSections(db, hits));
        return hits.filter((id) => loaded.has(id));
      },
    };
  }

  const { invoke } = door;
  return { libraries, ingest, search, storage, clock, log, meant, trouble, invoke, as, close: () => search.close() };
}
