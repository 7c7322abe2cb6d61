import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Log } from '#kernel/log/log.ts';
import type { EmbeddingProgress } from '#kernel/search/semantic/semantic-search.ts';

export interface CollectionProgress extends Pick<EmbeddingProgress, 'embedded' | 'pending'> {
  readonly collection: string;
}

export interface EmbeddingMetricsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly tenants: () => Promise<readonly TenantId[]>;
  /** Undefined if nothing was searched in this process yet. A scrape must not load the search. */
  readonly progress: () => ((tenant: TenantId) => Promise<readonly CollectionProgress[]>) | undefined;
}

export const embeddingLimits = {
  /** How long a count is reused, because it goes through the vectors. */
  embeddingTrustMs: 15_000,
} as const;

type Figure = 'pending' | 'embedded';
type Sums = Readonly<Record<Figure, ReadonlyMap<string, number>>>;

const none: Sums = { pending: new Map(), embedded: new Map() };

/** Pending and embedded documents per collection; shows the progress of a model change. */
export function createEmbeddingMetrics({ clock, log, tenants, progress }: EmbeddingMetricsDeps) {
  let last: { readonly at: number; readonly sums: Promise<Sums> } | undefined;

  async function sum(ask: (tenant: TenantId) => Promise<readonly CollectionProgress[]>): Promise<Sums> {
    const sums = { pending: new Map<string, number>(), embedded: new Map<string, number>() };
    try {
      for (const tenant of await tenants()) {
        for (const { collection, ...counts } of await ask(tenant)) {
          for (const figure of ['pending', 'embedded'] as const) {
            sums[figure].set(collection, (sums[figure].get(collection) ?? 0) + counts[figure]);
          }
        }
      }
      return sums;
    } catch (error) {
      // A scrape returns the other metrics even if the store is unavailable.
      log.warn({ err: error }, 'could not count the embedded documents');
      return none;
    }
  }

  async function current(): Promise<Sums | undefined> {
    const ask = progress();
    if (ask === undefined) return undefined;
    if (last === undefined || clock.now() - last.at >= embeddingLimits.embeddingTrustMs) {
      last = { at: clock.now(), sums: sum(ask) };
    }
    return last.sums;
  }

  const gauge = (figure: Figure, help: string) => ({
    name: `fourfold_embedding_${figure}`,
    help,
    kind: 'gauge' as const,
    label: 'collection',
    read: async () => ((await current()) ?? none)[figure],
  });
  return {
    /** Of all tenants of this process; undefined if nothing was searched yet. */
    async progress(): Promise<readonly CollectionProgress[] | undefined> {
      const sums = await current();
      return (
        sums &&
        [...sums.pending].map(([collection, pending]) => ({
          collection,
          pending,
          embedded: sums.embedded.get(collection) ?? 0,
        }))
      );
    },
    metrics: [
      gauge('pending', 'Documents that wait for a vector of the present model.'),
      gauge('embedded', 'Documents that have a vector of the present model.'),
    ],
  };
}
