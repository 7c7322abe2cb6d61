import type { CatalogSink, EntrySource, SourceChanges } from '../catalog/entry-source.ts';
import { type Trace, traceLimits } from './trace.ts';

export interface CatalogTracing {
  /** MCP_CATALOG_DIAG: a line per load, change, rejected file and commit. */
  readonly loads: boolean;
  /** MCP_CATALOG_FILE_TRACE: a line per file, in the order in which they are reported. */
  readonly files: boolean;
}

const countGone = ({ entries }: SourceChanges): number =>
  [...entries.values()].filter((entry) => entry === undefined).length;

export function traceSource(
  { trace }: Trace,
  { loads, files }: CatalogTracing,
  tenant: string,
  createSource: (sink: CatalogSink) => EntrySource,
): (sink: CatalogSink) => EntrySource {
  function traceFiles({ entries, problems }: SourceChanges): void {
    for (const [id, entry] of entries) {
      const file = `${id}.json`;
      const problem = problems.get(file);
      if (entry !== undefined) trace('file', 'load', { tenant, file, etag: entry.etag });
      else if (problem !== undefined) trace('file', 'reject', { tenant, file, problem: problem.problem });
      else trace('file', 'gone', { tenant, file });
    }
  }

  return (sink) => {
    let loadingCount = 0;
    let totals = { entryCount: 0, problemCount: 0 };

    function traceLoads(found: SourceChanges): void {
      const gone = countGone(found);
      const rejected = [...found.problems.values()].filter((problem) => problem !== undefined);
      for (const { file, problem } of rejected) trace('catalog', 'reject', { tenant, file, problem });
      totals = {
        entryCount: totals.entryCount + found.entries.size - gone,
        problemCount: totals.problemCount + rejected.length,
      };
      if (loadingCount > 0) return;
      const ids = [...found.entries.keys()];
      trace('catalog', 'change', {
        tenant,
        count: ids.length,
        goneCount: gone - rejected.length,
        ids: ids.slice(0, traceLimits.idsCount),
      });
    }

    const source = createSource({
      ...sink,
      apply(found) {
        sink.apply(found);
        if (files) traceFiles(found);
        if (loads) traceLoads(found);
      },
    });

    async function timed(sub: string, work: () => Promise<void>, fields: () => object): Promise<void> {
      const startedAt = performance.now();
      const ms = () => Math.round(performance.now() - startedAt);
      try {
        await work();
        trace('catalog', sub, { tenant, ms: ms(), ...fields() });
      } catch (error) {
        trace('catalog', sub, { tenant, ms: ms(), failed: String(error) });
        throw error;
      }
    }

    if (!loads) return source;
    return {
      ...source,
      async load(call) {
        loadingCount += 1;
        totals = { entryCount: 0, problemCount: 0 };
        try {
          await timed(
            'load',
            () => source.load(call),
            () => totals,
          );
        } finally {
          loadingCount -= 1;
        }
      },
      commit: (call, changes) =>
        timed(
          'commit',
          () => source.commit(call, changes),
          () => ({ ids: changes.slice(0, traceLimits.idsCount).map(({ id }) => id) }),
        ),
    };
  };
}
