import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Log } from '#kernel/log/log.ts';
import type { EmbeddingProgress } from '#kernel/search/semantic/semantic-search.ts';

/** How far the documents of one collection are. */
export interface CollectionProgress extends Pick<EmbeddingProgress, 'embedded' | 'pending'> {
  readonly collection: string;
}

export interface EmbeddingMetricsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly tenants: () => Promise<readonly TenantId[]>;
  /** Undefined: nothing was searched in this process yet. A scrape is no reason to load what searches. */
  readonly progress: () => ((tenant: TenantId) => Promise<readonly CollectionProgress[]>) | undefined;
}

export const embeddingLimits = {
  /** How long a count serves scrapes: it goes through the vectors. */
  embeddingTrustMs: 15_000,
} as const;

type Figure = 'pending' | 'embedded';
type Sums = Readonly<Record<Figure, ReadonlyMap<string, number>>>;

const none: Sums = { pending: new Map(), embedded: new Map() };

/** What waits for its embedding and what has one, by collection; a change of the model can be followed with it. */
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
      // A scrape shows the rest also when the store is away.
      log.warn({ err: error }, 'what is embedded could not be counted');
      return none;
    }
  }

  async function current(figure: Figure): Promise<ReadonlyMap<string, number>> {
    const ask = progress();
    if (ask === undefined) return none[figure];
    if (last === undefined || clock.now() - last.at >= embeddingLimits.embeddingTrustMs) {
      last = { at: clock.now(), sums: sum(ask) };
    }
    return (await last.sums)[figure];
  }

  const gauge = (figure: Figure, help: string) => ({
    name: `fourfold_embedding_${figure}`,
    help,
    kind: 'gauge' as const,
    label: 'collection',
    read: () => current(figure),
  });
  return [
    gauge('pending', 'Documents that wait for a vector of the present model.'),
    gauge('embedded', 'Documents that have a vector of the present model.'),
  ];
}
