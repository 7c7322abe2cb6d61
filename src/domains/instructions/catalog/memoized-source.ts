import { instructionLimits } from '../instruction-limits.ts';
import type { CatalogSink, EntrySource } from './entry-source.ts';

/**
 * MCP_CATALOG_MEMOIZE: serves from memory for a while without checking the source. Edits by others appear later; own
 * writes appear immediately, and unknown ids are always looked up.
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
        // The state in memory may have caused the conflict: a retry must see the current one.
        refreshedAt = Number.NEGATIVE_INFINITY;
        throw error;
      }
    },
  };
}
