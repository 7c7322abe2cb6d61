import { instructionLimits } from '../instruction-limits.ts';
import type { EntrySource, Sink } from './entry-source.ts';

/**
 * MCP_CATALOG_MEMOIZE: what is in memory is served for a while without a look at where it is kept. An edit by somebody
 * else is seen that much later; what this process writes is seen at once, and an id that is not known is always looked for.
 */
export function memoizeSource(
  source: EntrySource,
  sink: Pick<Sink, 'find'>,
  now = () => performance.now(),
): EntrySource {
  let lookedAt = Number.NEGATIVE_INFINITY;
  const isRemembered = (): boolean => now() - lookedAt < instructionLimits.sweepEveryMs;

  async function renew(work: () => Promise<void>): Promise<void> {
    const startedAt = now();
    await work();
    lookedAt = startedAt;
  }

  return {
    ...source,
    load: (call) => renew(() => source.load(call)),
    async refresh(call) {
      if (!isRemembered()) await renew(() => source.refresh(call));
    },
    look(call, id) {
      if (!isRemembered()) return renew(() => source.refresh(call)).then(() => source.look(call, id));
      return sink.find(id) === undefined ? source.look(call, id) : undefined;
    },
    async commit(call, changes) {
      try {
        await source.commit(call, changes);
      } catch (error) {
        // It may have failed because memory was behind: whoever tries again is to see what is there.
        lookedAt = Number.NEGATIVE_INFINITY;
        throw error;
      }
    },
  };
}
