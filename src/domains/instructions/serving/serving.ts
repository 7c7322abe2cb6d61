import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { dayMs } from '../rules/activity-filter.ts';
import { createServedBuffer } from './served-buffer.ts';
import { addServed, deleteOldDays, type ServedDay } from './serving-store.ts';

/** The rules of one answer. */
export interface ServedRules {
  readonly applies: readonly string[];
  readonly mayApply?: readonly string[];
  readonly workspaceId?: string | undefined;
}

export interface ServingDeps {
  readonly storage: Pick<Storage, 'write'>;
  readonly clock: Clock;
  readonly log: Log;
  /** For callers that name none. */
  readonly workspace: string | undefined;
  isOn(): boolean;
}

const toDay = (at: number): number => Math.floor(at / dayMs);

export type Serving = ReturnType<typeof createServing>;

/**
 * Counts which rules were served to whom. `record` only adds to a buffer, so that it can neither fail nor delay an
 * answer; the counts are stored every few seconds and at shutdown. A killed process loses its last seconds.
 */
export function createServing({ storage, clock, log, workspace, isOn }: ServingDeps) {
  const buffer = createServedBuffer(instructionLimits.servedBufferCount);
  const cleanUps = new Map<TenantId, { readonly day: number; rowsCount: number }>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let flushesCount = 0;
  let isFailing = false;

  const callOf = (tenant: TenantId): Call =>
    systemCall('instructions/served', {
      tenant,
      deadlineAt: clock.now() + instructionLimits.servedFlushDeadlineMs,
    });

  async function cleanUp(tenant: TenantId, writtenCount: number): Promise<void> {
    const today = toDay(clock.now());
    const last = cleanUps.get(tenant);
    if (last !== undefined && last.day === today) {
      last.rowsCount += writtenCount;
      if (last.rowsCount < instructionLimits.servedCleanUpCount) return;
    }
    const { servedDays, servedRowsCount, servedChunkCount: limit } = instructionLimits;
    for (let deletedCount: number = limit; deletedCount === limit; ) {
      deletedCount = await storage.write(callOf(tenant), (db) =>
        deleteOldDays(db, today - servedDays, servedRowsCount, limit),
      );
    }
    cleanUps.set(tenant, { day: today, rowsCount: 0 });
  }

  async function store(tenant: TenantId, rows: readonly ServedDay[]): Promise<void> {
    for (let at = 0; at < rows.length; at += instructionLimits.servedChunkCount) {
      const chunk = rows.slice(at, at + instructionLimits.servedChunkCount);
      try {
        await storage.write(callOf(tenant), (db) => addServed(db, chunk));
      } catch (error) {
        // Counts that may have been stored are not counted again.
        const isUnknown = error instanceof Fault && error.code === faults.OUTCOME_UNKNOWN.kind.code;
        buffer.putBack(tenant, rows.slice(isUnknown ? at + chunk.length : at));
        throw error;
      }
    }
    await cleanUp(tenant, rows.length);
  }

  async function storeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    for (const [tenant, rows] of buffer.take()) {
      try {
        await store(tenant, rows);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'cannot store the counts of served rules; trying again later');
        isFailing = true;
      }
    }
    if (!buffer.isEmpty()) scheduleFlush();
  }

  /** Never rejects. One at a time, so that a second one waits for the counts that the first has taken. */
  function flush(): Promise<void> {
    flushesCount += 1;
    flushing = flushing.then(storeAll).finally(() => {
      flushesCount -= 1;
    });
    return flushing;
  }

  function scheduleFlush(): void {
    timer ??= setTimeout(() => void flush(), instructionLimits.servedFlushMs).unref();
  }

  return {
    isOn,
    record(
      { tenant, actor }: Pick<Call, 'tenant' | 'actor'>,
      { applies, mayApply = [], workspaceId }: ServedRules,
    ): void {
      if (!isOn() || applies.length + mayApply.length === 0) return;
      const now = clock.now();
      const named = (workspaceId ?? workspace ?? '').slice(0, instructionLimits.contextChars);
      buffer.add({ tenant, day: toDay(now), actor, workspace: named }, now, applies, mayApply);
      if (buffer.isFull() && flushesCount === 0) void flush();
      else scheduleFlush();
    },
    flush,
    /** Stores what is left. */
    async close(): Promise<void> {
      await flush();
      clearTimeout(timer);
    },
  };
}
