import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { forEachTenant } from '#kernel/jobs/tenants.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Invocation, Invoke, Outcome } from '#kernel/tool/invoke.ts';
import { analyticsLimits, toDay } from './analytics-limits.ts';
import type { EventKind } from './analytics-source.ts';
import { addDays, addUsers, deleteOldDays, deleteOldUsers, type EventSum, type SeenUser } from './analytics-store.ts';

export interface EventRecorderDeps {
  readonly storage: Pick<Storage, 'write'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Keyed: with a plain hash, one could try the names of all users. */
  readonly hashActor: (tenant: TenantId, actor: string) => string;
}

export type EventRecorder = ReturnType<typeof createEventRecorder>;

const hasItems = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** By tool; an answer can show that a step was reached. */
const kindsOfTools: Readonly<Record<string, (answer: Readonly<Record<string, unknown>>) => readonly EventKind[]>> = {
  upload_file: ({ record }) => (record === undefined ? ['upload'] : ['upload', 'extraction']),
  store_record: () => ['upload'],
  submit_payload: ({ entities }) =>
    hasItems(entities) ? ['upload', 'extraction', 'entity'] : ['upload', 'extraction'],
  store_fact: () => ['entity'],
  retrieve_records: () => ['search'],
  retrieve_entities: () => ['search'],
  get_entity_by_identifier: () => ['search'],
  list_timeline_events: () => ['timeline'],
};

const memories: ReadonlySet<string> = new Set(['instructions', 'knowledge', 'notebooks', 'truth']);

/** A person at the command line asks without an agent. */
function kindsOf({ surface }: Invocation, outcome: Extract<Outcome, { ok: true }>): readonly EventKind[] {
  const { name, effect, toolset } = outcome.card;
  const kinds = kindsOfTools[name]?.(outcome.value as Readonly<Record<string, unknown>>) ?? [];
  const isQuery = surface !== 'cli' && effect === 'read' && memories.has(toolset);
  return ['active', ...kinds, ...(isQuery ? (['ai_query'] as const) : [])];
}

type MutableSum = { -readonly [K in keyof EventSum]: EventSum[K] };

/** Rows in the same order for every writer, so that none waits for another in a circle. */
const byKey = (a: EventSum, b: EventSum): number =>
  a.actor < b.actor || (a.actor === b.actor && (a.day < b.day || (a.day === b.day && a.kind < b.kind))) ? -1 : 1;

function toUsers(sums: readonly EventSum[]): readonly SeenUser[] {
  const users = new Map<string, SeenUser>();
  for (const { actor, day, firstAt } of sums) {
    const known = users.get(actor);
    users.set(actor, {
      actor,
      firstDay: Math.min(day, known?.firstDay ?? day),
      firstAt: Math.min(firstAt, known?.firstAt ?? firstAt),
      lastDay: Math.max(day, known?.lastDay ?? day),
    });
  }
  return [...users.values()];
}

/** Counts events in memory and adds the sums to the store in the background. No call waits for it. */
export function createEventRecorder({ storage, clock, log, hashActor }: EventRecorderDeps) {
  let waiting = new Map<TenantId, Map<string, MutableSum>>();
  let waitingCount = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  function add(tenant: TenantId, actor: string, kind: EventKind, atMs: number): void {
    const day = toDay(atMs);
    const key = `${day}\0${kind}\0${actor}`;
    const sums = waiting.get(tenant) ?? new Map<string, MutableSum>();
    waiting.set(tenant, sums);
    const known = sums.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    if (waitingCount >= analyticsLimits.waitingSumsCount) return;
    waitingCount += 1;
    sums.set(key, { actor, day, kind, count: 1, firstAt: atMs });
  }

  async function store(tenant: TenantId, sums: readonly EventSum[]): Promise<void> {
    const hashed = sums.map((one) => ({ ...one, actor: hashActor(tenant, one.actor) })).sort(byKey);
    try {
      await storage.write(systemCall('analytics', { tenant }), function* (db) {
        yield* addUsers(db, toUsers(hashed));
        yield* addDays(db, hashed);
      });
    } catch (error) {
      log.warn({ err: error, count: sums.length }, 'could not store the analytics events');
    }
  }

  async function storeAll(): Promise<void> {
    const taken = waiting;
    waiting = new Map();
    waitingCount = 0;
    clearTimeout(timer);
    timer = undefined;
    for (const [tenant, sums] of taken) await store(tenant, [...sums.values()]);
  }

  /** Resolves when all events so far are stored. */
  function flush(): Promise<void> {
    flushing = flushing.then(storeAll);
    return flushing;
  }

  function record(invocation: Invocation, outcome: Outcome): void {
    if (!outcome.ok) return;
    const { tenant, actor } = invocation.caller;
    const atMs = clock.now();
    for (const kind of kindsOf(invocation, outcome)) add(tenant, actor, kind, atMs);
    timer ??= setTimeout(() => void flush(), analyticsLimits.flushEveryMs).unref();
  }

  async function sweep(tenant: TenantId, signal: AbortSignal): Promise<void> {
    const before = toDay(clock.now()) - analyticsLimits.keptDays;
    const { sweptRowsCount } = analyticsLimits;
    for (const deleteSome of [deleteOldDays, deleteOldUsers]) {
      let count: number = sweptRowsCount;
      while (count === sweptRowsCount && !signal.aborted) {
        const call = systemCall('jobs/sweep-analytics', { tenant, signal });
        count = await storage.write(call, (db) => deleteSome(db, before, sweptRowsCount));
      }
    }
  }

  return {
    flush,
    track:
      (invoke: Invoke): Invoke =>
      (invocation) => {
        const running = invoke(invocation);
        running.then(
          (outcome) => record(invocation, outcome),
          () => {},
        );
        return running;
      },
    jobs: (tenants: () => Promise<readonly TenantId[]>): readonly PeriodicJob[] => [
      { name: 'sweep-analytics', everyMs: analyticsLimits.sweepEveryMs, run: forEachTenant(tenants, sweep) },
    ],
  };
}
