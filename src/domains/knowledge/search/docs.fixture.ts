import type { Call, TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { describeOnEngines, type EngineFixture } from '#kernel/jobs/engines.fixture.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openIndexes } from '#tests/support/open-indexes.ts';
import type { BaseSection } from '../base/base-sections.ts';
import type { BaseVectors } from '../base/base-vectors.ts';
import { indexBaseSections, type KnowledgeBase } from '../base/knowledge-base.ts';
import { createLibraries } from '../libraries/libraries.ts';
import { createProjectLock } from '../libraries/project-lock.ts';
import { createDocPages } from './doc-pages.ts';
import { createDocSearch } from './doc-search.ts';
import { createLibrarySections } from './library-sections.ts';

export const section = (id: string, more: Partial<BaseSection> = {}): BaseSection => ({
  ...{ id, library: 'feathers', version: 'v5', category: 'hooks', title: id, text: `Text of ${id}.` },
  ...{ breadcrumb: ['Page', more.title ?? id], path: `docs/${id.split('#')[0]}.md`, tags: [] },
  ...more,
});

/** Search over a given base and the real libraries of a tenant. */
function createDocsFixture(
  storage: Storage,
  baseSections: readonly BaseSection[],
  embedder?: Embedder,
  vectors?: BaseVectors,
  project?: string,
) {
  const clock = createManualClock();
  const { ids, log, search, meaning, close } = openIndexes(storage, clock, embedder);
  const cursors = createCursors(Buffer.from('the cursors of a test'));
  const libraries = createLibraries({ ...{ storage, clock, ids, log, search, meaning }, cursors });
  const sections = createLibrarySections({ storage });
  const base: Promise<KnowledgeBase> = indexBaseSections(baseSections).then((part) => ({
    parts: [part],
    sections: new Map(baseSections.map((one) => [one.id, one])),
    vectors: () => vectors,
  }));
  const docs = createDocSearch({
    ...{ base: () => base, search, meaning, libraries: sections, cursors },
    lock: createProjectLock({ folder: project, forbidden: [], clock }),
  });
  const pages = createDocPages({ base: () => base, libraries: sections, cursors });

  function as(tenant: TenantId) {
    const call: Call = {
      ...{ tenant, actor: 'ada', scopes: new Set(['admin']), tool: 'test', audit: 'none' },
      ...{ signal: new AbortController().signal, deadlineAt: Number.POSITIVE_INFINITY, progress() {} },
    };
    return {
      call,
      docs,
      find: (query: string, more: object = {}) => docs.find({ query, limit: 10, maxTokens: 0, ...more }, call),
      read: (request: object) => pages.read(request, call),
      list: (request: object = {}) => pages.list(request, call),
      /** Writes one page from pairs of title and text. An empty title continues the section before it. */
      async addPage(library: string, version: string, path: string, texts: readonly (readonly [string, string])[]) {
        await libraries.pages.put(
          { library, version },
          { kind: 'pages', name: 'test' },
          [
            {
              ...{ path, title: 'A page', category: 'guide', hash: `${path}${texts.length}` },
              sections: texts.map(([heading, text], i) => {
                const [title] = texts.slice(0, i + 1).findLast(([above]) => above !== '')!;
                return { anchor: `s${i}`, level: heading === '' ? 0 : 2, title, text, breadcrumb: ['A page', title] };
              }),
            },
          ],
          call,
        );
      },
      remove: (library: string, version: string) => libraries.remove({ library, version }, call),
    };
  }

  return { as, meaning, close };
}

export interface DocsEngine extends EngineFixture {
  /** Open until the describe block ends. */
  open(
    sections: readonly BaseSection[],
    embedder?: Embedder,
    vectors?: BaseVectors,
    /** The folder with the lock file. */
    project?: string,
  ): ReturnType<typeof createDocsFixture>;
}

export const describeDocs = (title: string, tell: (engine: DocsEngine) => void): void =>
  describeOnEngines(title, (engine) =>
    tell({
      ...engine,
      open: (sections, embedder, vectors, project) =>
        engine.closeAtEnd(createDocsFixture(engine.storage(), sections, embedder, vectors, project)),
    }),
  );
