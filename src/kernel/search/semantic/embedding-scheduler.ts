import { setTimeout as wait } from 'node:timers/promises';
import type { TenantId } from '../../call.ts';
import type { Log } from '../../log/log.ts';
import type { Collection } from '../collection.ts';
import { searchLimits } from '../search-limits.ts';

export interface TenantCollection {
  readonly tenant: TenantId;
  readonly collection: Collection;
}

/** `more`: interrupted for other collections. `elsewhere`: another process holds the lease. */
export type TurnOutcome = 'done' | 'more' | 'elsewhere';

export interface EmbeddingSchedulerDeps {
  readonly log: Log;
  readonly closing: AbortSignal;
  /** Works on one target for a while; `hasOthers` reports whether other targets wait. */
  turn(target: TenantCollection, hasOthers: () => boolean): Promise<TurnOutcome>;
}

const keyOf = ({ tenant, collection }: TenantCollection): string => `${tenant}\0${collection.name}`;

/** Decides which collection is embedded and when: one at a time, in the background. */
export function createEmbeddingScheduler({ log, closing, turn }: EmbeddingSchedulerDeps) {
  const due = new Map<string, TenantCollection>();
  const timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly at: number }>();
  let running: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let failuresCount = 0;
  let pausedUntil = 0;

  closing.addEventListener('abort', () => {
    for (const { timer } of timers.values()) clearTimeout(timer);
    due.clear();
  });

  /** One turn at a time in this process. */
  function takeTurn(target: TenantCollection): Promise<TurnOutcome> {
    const taken = last.then(() => turn(target, () => due.size > 0));
    last = taken.catch(() => {});
    return taken;
  }

  function fail(target: TenantCollection, error: unknown): void {
    if (closing.aborted) return;
    const pauseMs = Math.min(searchLimits.retryMs * 2 ** failuresCount, searchLimits.retryMostMs);
    failuresCount += 1;
    pausedUntil = performance.now() + pauseMs;
    if (failuresCount === 1) {
      const fields = { collection: target.collection.name, reason: String(error) };
      log.warn(fields, 'could not embed documents, will retry; keyword search works meanwhile');
    }
    schedule(target, pauseMs);
  }

  function succeed(): void {
    if (failuresCount > 0) log.info({}, 'the embedder works again');
    failuresCount = 0;
    pausedUntil = 0;
  }

  async function runDue(): Promise<void> {
    for (const [key, target] of due) {
      due.delete(key);
      try {
        const outcome = await takeTurn(target);
        succeed();
        if (outcome === 'more') due.set(key, target);
        if (outcome === 'elsewhere') schedule(target, searchLimits.elsewhereMs);
      } catch (error) {
        fail(target, error);
      }
      if (closing.aborted) return;
    }
  }

  function start(): void {
    running ??= runDue().finally(() => {
      running = undefined;
      if (due.size > 0 && !closing.aborted) start();
    });
  }

  /** Runs the target after this delay at the latest. */
  function schedule(target: TenantCollection, delayMs: number): void {
    if (closing.aborted) return;
    const key = keyOf(target);
    const at = Math.max(performance.now() + delayMs, pausedUntil);
    const known = timers.get(key);
    // The earliest request counts, so that constant writes cannot postpone it forever.
    if (known !== undefined && known.at <= at) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(
      () => {
        timers.delete(key);
        due.set(key, target);
        start();
      },
      Math.max(0, at - performance.now()),
    );
    timers.set(key, { timer: timer.unref(), at });
  }

  return {
    schedule,
    /** Runs until nothing is pending; fails if the work fails. */
    async settle(target: TenantCollection): Promise<void> {
      for (;;) {
        closing.throwIfAborted();
        const outcome = await takeTurn(target);
        if (outcome === 'done') return succeed();
        if (outcome === 'elsewhere') await wait(searchLimits.settleRetryMs, undefined, { signal: closing });
      }
    },
    /** Resolves when nothing is running. */
    async idle() {
      while (running !== undefined) await running.catch(() => {});
      await last;
    },
  };
}
