import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { Features } from '#kernel/features/features.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import type { Catalog, CatalogEntry, CatalogState } from '../catalog/catalog.ts';
import { instructionIdPattern } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { RuleRecords } from '../serving/rule-records.ts';
import type { Serving } from '../serving/serving.ts';
import { deleteServed, servedIdsAfter } from '../serving/serving-store.ts';
import type { Hotset } from '../tools/usage-hotset.ts';
import { pruneRows } from './prune-rows.ts';
import { addRemarks, type NewRemark } from './remark-store.ts';
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
  readonly serving: Pick<Serving, 'flush'>;
  readonly records: Pick<RuleRecords, 'remarksOf'>;
}

const toCount = (row: CountRow): UsageCount => ({
  usageCount: row.usage_count,
  firstSeenTs: toIso(row.first_seen_at),
  lastUsedAt: toIso(row.last_used_at),
});

/** The hash of each body. */
type KnownRules = ReadonlyMap<string, string>;

function toRemarks(event: UsageEvent, known: KnownRules): readonly NewRemark[] {
  const { signal = null } = event;
  const comment = event.comment === undefined || event.comment === '' ? null : event.comment;
  if (signal === null && comment === null) return [];
  const id = instructionIdOf(event);
  return [{ id, signal, comment, source_hash: known.get(id) ?? null }];
}

/** Usage counts of instructions. Durable immediately; counts of removed instructions stay until `prune`. */
export function createUsage(deps: UsageDeps) {
  const { storage, catalog, features, ids, isLimited, isClamped, serving, records } = deps;
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
  async function findEntry(state: CatalogState, id: string, call: Call): Promise<CatalogEntry | undefined> {
    const found = state.find(id);
    if (found !== undefined || !instructionIdPattern.test(id)) return found;
    return (await catalog.lookUp(call, id)).found;
  }

  async function findKnown(events: readonly UsageEvent[], call: Call): Promise<KnownRules> {
    const state = await catalog.state(call);
    const known = new Map<string, string>();
    for (const event of events) {
      const id = instructionIdOf(event);
      const found = known.has(id) ? undefined : await findEntry(state, id, call);
      if (found !== undefined) known.set(id, found.entry.sourceHash);
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
  function* countAll(
    db: Writer,
    { actor }: Call,
    events: readonly UsageEvent[],
    known: KnownRules,
  ): Work<TrackAnswer[]> {
    const answers: TrackAnswer[] = [];
    const remarks: NewRemark[] = [];
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
      if (answer.rateLimited !== true) {
        counted.add(id);
        remarks.push(...toRemarks(event, known));
      }
      answers[at] = answer;
    }
    yield* addRemarks(db, actor, remarks);
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
    const answers = await trackPending(storage.write(call, (db) => countAll(db, call, events, known)));
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
      const entries = rows.flatMap(({ id }) => state.find(id)?.entry ?? []);
      const remarks = await records.remarksOf(call, entries);
      const items = rows.map((row) => ({
        id: row.id,
        usageCount: row.usage_count,
        lastUsedAt: toIso(row.last_used_at),
        ...remarks.get(row.id),
      }));
      return { hash: state.hash, count: items.length, limit, items };
    },

    /** Resolves when all counts that were pending are stored. */
    async flush() {
      await Promise.allSettled([...outstanding, serving.flush()]);
    },

    /** Omits instructions that were never used. */
    countsOf: async (call: Call, wanted: readonly string[]): Promise<UsageCounts> =>
      cache.find(call.tenant, wanted) ?? readCounts(call, wanted),
    /** The same from memory, synchronously; undefined when one of them is not cached. */
    knownCounts: (call: Call, wanted: readonly string[]): UsageCounts | undefined => cache.find(call.tenant, wanted),

    /** Deletes the counts of removed instructions and returns their number. `dryRun` only counts them. */
    async prune(call: Call, { dryRun }: { readonly dryRun: boolean }): Promise<number> {
      const state = await catalog.state(call);
      const isGone = (id: string) => state.find(id) === undefined;
      await serving.flush();
      await trackPending(
        pruneRows(storage, call, { idsAfter: servedIdsAfter, deleteRows: deleteServed, isGone, dryRun }),
      );
      return trackPending(pruneRows(storage, call, { idsAfter, deleteRows: deleteCounts, isGone, dryRun }));
    },
  };
}
