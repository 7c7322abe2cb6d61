import type { Call, Caller, TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { openLimiter } from '#kernel/limiter/limiter.ts';
import { createKeptLog } from '#kernel/log/log.ts';
import type { Collection } from '#kernel/search/collection.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import type { Step, Storage } from '#kernel/storage/port.ts';
import { toCards } from '#kernel/tool/card.ts';
import { createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { createLibraries, type Libraries } from '../libraries/libraries.ts';
import { loadSections } from '../libraries/load-sections.ts';
import { libraryTools } from '../libraries/tools.ts';
import { knowledgeDocuments } from '../search/collection.ts';
import { createIngest, type Ingest, type IngestAnswer } from './ingest.ts';
import { ingestTools } from './tools.ts';

interface Planted {
  readonly libraries: Libraries;
  readonly ingest: Ingest;
}

const toolset = defineToolset<Planted>({
  name: 'knowledge',
  faultForm: 'plain',
  tools: [...ingestTools, ...libraryTools],
});

const nothing: Step<void> = { *[Symbol.iterator]() {} };

export interface PlantedOptions {
  readonly storage: Storage;
  /** What the tools may read. */
  readonly roots: readonly string[];
  readonly forbidden?: readonly string[];
  readonly clock?: ReturnType<typeof createManualClock>;
}

export type Told = Readonly<Record<string, unknown>>;

/** The real door, store and search index with the tools of libraries behind it; only vectors are planted. */
export function plantKnowledge({ storage, roots, forbidden = [], clock = createManualClock() }: PlantedOptions) {
  const ids = createIds(clock);
  const log = createKeptLog();
  const search = createSearchIndex({ storage, leases: createLeases({ storage, clock, ids }), clock, ids, log });
  const meant: { readonly what: 'note' | 'forget'; readonly ids: readonly string[] }[] = [];
  const trouble = { isForgetting: true };
  const keep =
    (what: 'note' | 'forget') =>
    (_db: unknown, _collection: Collection, ...noted: string[]) => {
      if (what === 'forget' && !trouble.isForgetting) throw new Error('planted: the process is killed here');
      meant.push({ what, ids: noted });
      return nothing;
    };
  const libraries = createLibraries({
    ...{ storage, clock, ids, log, search },
    cursors: createCursors(Buffer.from('the cursors of a test')),
    meaning: { note: keep('note'), forget: keep('forget'), provide() {} },
  });
  const ingest = createIngest({ libraries, access: { roots, forbidden, base: roots[0] ?? '/' } });
  const bugs: unknown[] = [];
  const invoke = createInvoke({
    registry: createRegistry(toCards(toolset), { knowledge: async () => bindToolset(toolset, { libraries, ingest }) }),
    permits: { mutation: true, readOnly: false },
    limiter: openLimiter,
    meter: createToolMeter(),
    clock,
    ids,
    reportBug: ({ error }) => void bugs.push(error),
  });

  /** Of one tenant. */
  function as(tenant: TenantId) {
    const caller: Caller = { tenant, actor: 'ada', scopes: new Set(['admin']) };
    const call = (tool = 'test', part: Partial<Call> = {}): Call => ({
      ...caller,
      tool,
      audit: 'row',
      signal: new AbortController().signal,
      deadlineAt: Number.POSITIVE_INFINITY,
      progress() {},
      ...part,
    });
    /** The answer, or `{error, code}`. */
    async function ask(name: string, args: unknown = {}): Promise<Told> {
      const outcome = await invoke({ name, args, caller });
      if (bugs.length > 0) throw bugs[0];
      return outcome.ok
        ? (JSON.parse(outcome.text) as Told)
        : { code: outcome.fault.code, error: outcome.fault.message };
    }
    return {
      tenant,
      call,
      ask,
      /** The answer; a fault fails the test. */
      async take(args: unknown): Promise<IngestAnswer> {
        const told = await ask('knowledge_ingest', args);
        if ('error' in told) throw new Error(`${String(told['code'])}: ${String(told['error'])}`);
        return told as Told & IngestAnswer;
      },
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

  return { libraries, ingest, search, storage, clock, log, meant, trouble, invoke, as, close: () => search.close() };
}
