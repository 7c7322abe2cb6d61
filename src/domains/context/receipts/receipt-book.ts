import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { contextLimits } from '../context-limits.ts';
import type { Receipt } from './receipt.ts';
import { type ReceiptRow, saveReceipts } from './receipt-store.ts';

export interface ReceiptBookDeps {
  readonly storage: Pick<Storage, 'read' | 'write'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'short'>;
  readonly log: Log;
  /** Per tenant. */
  readonly keepCount: number;
}

export type ReceiptBook = ReturnType<typeof createReceiptBook>;

/**
 * Stores receipts a moment later and several together, so that no answer waits for them. A receipt that cannot be stored
 * is lost: an answer matters more than its receipt.
 */
export function createReceiptBook({ storage, clock, ids, log, keepCount }: ReceiptBookDeps) {
  let waiting = new Map<TenantId, ReceiptRow[]>();
  let waitingCount = 0;
  let timer: NodeJS.Timeout | undefined;
  let stored: Promise<void> = Promise.resolve();

  async function store(rows: ReadonlyMap<TenantId, readonly ReceiptRow[]>): Promise<void> {
    for (const [tenant, ofTenant] of rows) {
      try {
        await storage.write(systemCall('recall', { tenant }), (db) => saveReceipts(db, ofTenant, keepCount));
      } catch (error) {
        log.warn({ err: error, count: ofTenant.length }, 'receipts of recall could not be stored');
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waitingCount === 0) return stored;
    const rows = waiting;
    waiting = new Map();
    waitingCount = 0;
    stored = stored.then(() => store(rows));
    return stored;
  }

  return {
    newId: (): string => `rcp_${ids.short()}`,
    keep({ receipt_id, ...receipt }: Receipt, { tenant, actor }: Call): void {
      if (waitingCount >= contextLimits.waitingReceiptsCount) return;
      const row = { receipt_id, at: clock.now(), actor, document: JSON.stringify(receipt) };
      waiting.set(tenant, [...(waiting.get(tenant) ?? []), row]);
      waitingCount += 1;
      timer ??= setTimeout(() => void flush(), contextLimits.receiptDelayMs).unref();
    },
    /** Resolves when every receipt so far is stored or lost. */
    flush,
  };
}
