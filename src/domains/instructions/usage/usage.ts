import { type Call, withoutKey } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { Features } from '#kernel/features/features.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import type { Catalog, CatalogState } from '../catalog/catalog.ts';
import { instructionIdPattern } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Hotset } from '../tools/usage-hotset.ts';
import { createUsageCache, type UsageCounts } from './usage-cache.ts';
import {
  instructionIdOf,
  type TrackAnswer,
  toIncrement,
  toTrackAnswer,
  type UsageEvent,
  type UsageTrackInput,
  type UsageTrackOutput,
} from './usage-events.ts';
import { type CountRow, deleteCounts, findCount, findCounts, idsAfter, increment, mostUsed } from './usage-store.ts';

export interface UsageCount {
  readonly usageCount: number;
  readonly firstSeenTs: string;
  readonly lastUsedAt: string;
}

export type Usage = ReturnType<typeof createUsage>;

export interface UsageDeps {
  readonly storage: Storage;
  readonly catalog: Pick<Catalog, 'state' | 'lookUp'>;
  readonly features: Pick<Features, 'isOn' | 'count'>;
  readonly ids: Pick<Ids, 'uuid'>;
  /** MCP_DISABLE_USAGE_RATE_LIMIT switches it off. */
  readonly isLimited: boolean;
  /** Several events of one instruction in one call count as one use. MCP_DISABLE_USAGE_CLAMP switches it off. */
  readonly isClamped: boolean;
}

const toCount = (row: CountRow): UsageCount => ({
  usageCount: row.usage_count,
  firstSeenTs: toIso(row.first_seen_at),
  lastUsedAt: toIso(row.last_used_at),
});

/** Usage counts of instructions. Durable immediately; counts of removed instructions stay until `prune`. */
export function createUsage(deps: UsageDeps) {
  const { storage, catalog, features, ids, isLimited, isClamped } = deps;
  const perSecondMax = isLimited ? instructionLimits.incrementsPerSecondCount : Number.MAX_SAFE_INTEGER;
  const sessionOf = (event: UsageEvent) => event.context?.sessionId ?? ids.uuid();
  const outstanding = new Set<Promise<unknown>>();
  const cache = createUsageCache(storage);

  function isOn(): boolean {
    if (features.isOn('usage')) return true;
    features.count('usage:gated');
    return false;
  }

  /** A file that was just added is not in the state yet. */
  async function isKnown(state: CatalogState, id: string, call: Call): Promise<boolean> {
    if (state.find(id) !== undefined) return true;
    return instructionIdPattern.test(id) && (await catalog.lookUp(call, id)).found !== undefined;
  }

  async function findKnown(events: readonly UsageEvent[], call: Call): Promise<ReadonlySet<string>> {
    const state = await catalog.state(call);
    const known = new Set<string>();
    for (const event of events) {
      const id = instructionIdOf(event);
      if (!known.has(id) && (await isKnown(state, id, call))) known.add(id);
    }
    return known;
  }

  function* countOne(db: Writer, event: UsageEvent, by: 0 | 1, sessionId: string): Work<TrackAnswer> {
    const counted = yield* increment(db, toIncrement(event, by), perSecondMax);
    if (counted !== undefined) return toTrackAnswer(event, { kind: 'counted', row: counted, sessionId });
    const row = yield* findCount(db, instructionIdOf(event));
    return toTrackAnswer(event, { kind: 'limited', row, sessionId });
  }

  /** Sorted by id, so that two processes lock their rows in the same order; the answers keep the given order. */
  function* countAll(db: Writer, events: readonly UsageEvent[], known: ReadonlySet<string>): Work<TrackAnswer[]> {
    const answers: TrackAnswer[] = [];
    const counted = new Set<string>();
    const placed = events.map((event, at) => ({ event, at, id: instructionIdOf(event) }));
    placed.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.at - b.at));
    for (const { event, at, id } of placed) {
      const sessionId = sessionOf(event);
      if (!known.has(id)) {
        answers[at] = toTrackAnswer(event, { kind: 'unknown', sessionId });
        continue;
      }
      const answer = yield* countOne(db, event, isClamped && counted.has(id) ? 0 : 1, sessionId);
      if (answer.rateLimited !== true) counted.add(id);
      answers[at] = answer;
    }
    return answers;
  }

  async function readCounts(call: Call, wanted: readonly string[]): Promise<UsageCounts> {
    if (wanted.length === 0) return new Map();
    const keep = cache.beginRead(call.tenant, wanted);
    const [only] = wanted;
    const rows = await storage.read(call, function* (db) {
      if (wanted.length > 1 || only === undefined) return yield* findCounts(db, wanted);
      const row = yield* findCount(db, only);
      return row === undefined ? [] : [row];
    });
    const counts = new Map(rows.map((row) => [row.id, toCount(row)]));
    keep(counts);
    return counts;
  }

  async function trackPending<T>(write: Promise<T>): Promise<T> {
    outstanding.add(write);
    try {
      return await write;
    } finally {
      cache.clear();
      outstanding.delete(write);
    }
  }

  async function trackAll(events: readonly UsageEvent[], call: Call): Promise<readonly TrackAnswer[]> {
    if (!isOn()) return events.map((event) => toTrackAnswer(event, { kind: 'off' }));
    const known = await findKnown(events, call);
    if (known.size === 0) {
      return events.map((event) => toTrackAnswer(event, { kind: 'unknown', sessionId: sessionOf(event) }));
    }
    const answers = await trackPending(storage.write(call, (db) => countAll(db, events, known)));
    for (const answer of answers) {
      if (answer.rateLimited !== true && answer.notFound !== true) features.count('propertyUpdate:usage');
    }
    return answers;
  }

  return {
    async track({ events, ...event }: UsageTrackInput, call: Call): Promise<UsageTrackOutput> {
      if (events !== undefined) return { results: [...(await trackAll(events, call))] };
      const [answer] = await trackAll([event], call);
      return answer ?? {};
    },

    async hotset(limit: number, call: Call): Promise<Hotset> {
      const state = await catalog.state(call);
      const rows = await storage.read(call, function* (db) {
        const found: CountRow[] = [];
        // Skips removed instructions. There are few, because grooming prunes them.
        for (let offset = 0; found.length < limit; offset += instructionLimits.hotsetCount) {
          const page = yield* mostUsed(db, instructionLimits.hotsetCount, offset);
          found.push(...page.filter(({ id }) => state.find(id) !== undefined));
          if (page.length < instructionLimits.hotsetCount) break;
        }
        return found.slice(0, limit);
      });
      const items = rows.map((row) => ({
        id: row.id,
        usageCount: row.usage_count,
        lastUsedAt: toIso(row.last_used_at),
      }));
      return { hash: state.hash, count: items.length, limit, items };
    },

    /** Resolves when all writes that were pending are stored. */
    async flush() {
      await Promise.allSettled(outstanding);
    },

    /** Omits instructions that were never used. */
    countsOf: async (call: Call, wanted: readonly string[]): Promise<UsageCounts> =>
      cache.find(call.tenant, wanted) ?? readCounts(call, wanted),
    /** The same from memory, synchronously; undefined when one of them is not cached. */
    knownCounts: (call: Call, wanted: readonly string[]): UsageCounts | undefined => cache.find(call.tenant, wanted),

    /** Deletes the counts of removed instructions and returns their number. `dryRun` only counts them. */
    async prune(call: Call, { dryRun }: { readonly dryRun: boolean }): Promise<number> {
      const state = await catalog.state(call);
      const unaudited: Call = { ...withoutKey(call), audit: 'none' };
      let prunedCount = 0;
      for (let after: string | undefined = ''; after !== undefined; ) {
        const from: string = after;
        const page = await storage.read(call, (db) => idsAfter(db, from, instructionLimits.pruneRowsCount));
        const gone = page.map(({ id }) => id).filter((id) => state.find(id) === undefined);
        prunedCount += gone.length;
        if (gone.length > 0 && !dryRun) {
          await trackPending(storage.write(unaudited, (db) => deleteCounts(db, gone)));
        }
        after = page.length < instructionLimits.pruneRowsCount ? undefined : page.at(-1)?.id;
      }
      return prunedCount;
    },
  };
}
