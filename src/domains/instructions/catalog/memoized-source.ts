import { instructionLimits } from '../instruction-limits.ts';
import type { CatalogSink, EntrySource } from './entry-source.ts';

/**
 * MCP_CATALOG_MEMOIZE: what is in memory is served for a while without a look at where it is kept. An edit by somebody
 * else is seen that much later; what this process writes is seen at once, and an id that is not known is always looked for.
 */
export function memoizeSource(
  source: EntrySource,
  sink: Pick<CatalogSink, 'find'>,
  now = () => performance.now(),
): EntrySource {
  let refreshedAt = Number.NEGATIVE_INFINITY;
  const isFresh = (): boolean => now() - refreshedAt < instructionLimits.sweepEveryMs;

  async function refreshWith(work: () => Promise<void>): Promise<void> {
    const startedAt = now();
    await work();
    refreshedAt = startedAt;
  }

  return {
    ...source,
    load: (call) => refreshWith(() => source.load(call)),
    async refresh(call) {
      if (!isFresh()) await refreshWith(() => source.refresh(call));
    },
    refreshEntry(call, id) {
      if (!isFresh()) return refreshWith(() => source.refresh(call)).then(() => source.refreshEntry(call, id));
      return sink.find(id) === undefined ? source.refreshEntry(call, id) : undefined;
    },
    async commit(call, changes) {
      try {
        await source.commit(call, changes);
      } catch (error) {
        // It may have failed because memory was behind: whoever tries again is to see what is there.
        refreshedAt = Number.NEGATIVE_INFINITY;
        throw error;
      }
    },
  };
}
