import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { SealedText } from '#kernel/keys/sealed-text.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Outbound } from '#kernel/outbound/outbound.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import { integrationFaults } from '../integration-faults.ts';
import { integrationLimits } from '../integration-limits.ts';
import type { IncomingPayload, PayloadSink } from '../payload-sink.ts';
import type { Connector, RemoteItem, RemotePage, RemoteProblem } from './connector.ts';
import {
  type ConnectorRow,
  endRun,
  findConnector,
  findKnownItems,
  findRun,
  type KnownItem,
  markRunning,
  noteSynced,
  type SyncRunRow,
  saveCursor,
  saveKnownItems,
  saveProgress,
  saveSecret,
} from './connector-store.ts';
import { loadConnectorType } from './connector-types.ts';
import type { SyncAnswer } from './connectors-model.ts';
import type { MailInput, MailOutput } from './mail/mail-task.ts';
import { createTextReader } from './reader-tasks.ts';
import { toKnownItem, toPayload } from './to-payload.ts';

export interface RunDeps {
  readonly storage: Pick<Storage, 'read' | 'write'>;
  readonly sink: PayloadSink;
  readonly sealed: SealedText;
  readonly outbound: () => Promise<Outbound>;
  readonly workers: () => Promise<Pick<Workers, 'run'>>;
  readonly readMail: (mail: MailInput, tenant: TenantId, signal: AbortSignal) => Promise<MailOutput>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Counts {
  readonly added: number;
  readonly updated: number;
  readonly errors: number;
  readonly problems: readonly RemoteProblem[];
}

type RunError = NonNullable<SyncAnswer['error']>;

/** The pages of a run that this process knows of. */
interface Progress {
  pages: number;
}

/** An item that is not stored yet in this form. */
interface FreshItem {
  readonly id: string;
  readonly record: KnownItem;
  readonly payload: IncomingPayload;
}

const isRejection = (error: unknown): error is Fault => error instanceof Fault && error.kind.http < 500;

/** Secrets of one connector do not open in another row. */
export const secretOwner = (call: Pick<Call, 'tenant'>, connectorId: string): string =>
  `connector ${call.tenant} ${connectorId}`;

const cancelled: RunError = {
  code: 'CANCELLED',
  message: 'The sync was cancelled',
  fix: 'Start it again: it goes on where it stopped.',
};

/** The run is over, or another process works on it: this process was suspended and lost its lease meanwhile. */
class LostRun extends Error {}

/** Runs one sync until the service has no more pages. Goes on where an earlier process stopped. */
export function createSyncRunner(deps: RunDeps) {
  const { storage, sink, sealed, clock, log } = deps;

  async function open(row: ConnectorRow, call: Call): Promise<Connector> {
    const type = await loadConnectorType(row.provider);
    if (type === undefined) throw integrationFaults.SYNC_FAILED({ why: `${row.provider} cannot be connected` });
    const owner = secretOwner(call, row.id);
    const secret = row.secret === null ? undefined : sealed.open(row.secret, owner);
    const options = type.options.parse(JSON.parse(row.options));
    return type.open(options, secret, {
      outbound: await deps.outbound(),
      now: () => clock.now(),
      readText: createTextReader(deps.workers, call.tenant),
      readMail: (mail, signal) => deps.readMail(mail, call.tenant, signal),
      async saveSecret(text) {
        await storage.write({ ...call, audit: 'none' }, (db) => saveSecret(db, row.id, sealed.seal(text, owner)));
      },
    });
  }

  /** Each item once, in its last form, without those that are stored already. */
  async function findFresh(connectorId: string, items: readonly RemoteItem[], call: Call) {
    const byKey = new Map(
      items.map((item) => {
        const record = toKnownItem(item);
        return [record.item, { item, record }] as const;
      }),
    );
    const known = new Map<string, string>();
    const keys = [...byKey.keys()];
    for (let at = 0; at < keys.length; at += integrationLimits.knownItemsCount) {
      const some = keys.slice(at, at + integrationLimits.knownItemsCount);
      for (const { item, hash } of await storage.read(call, (db) => findKnownItems(db, connectorId, some)))
        known.set(item, hash);
    }
    return [...byKey.values()].filter(({ record }) => known.get(record.item) !== record.hash);
  }

  /** Items that the memory of facts would reject, such as those that are too large, become problems. */
  async function checkEach(fresh: readonly FreshItem[], call: Call) {
    const good: FreshItem[] = [];
    const problems: RemoteProblem[] = [];
    for (const one of fresh) {
      try {
        await sink.check([one.payload], call);
        good.push(one);
      } catch (error) {
        if (!isRejection(error)) throw error;
        problems.push({ id: one.id, why: error.message });
      }
    }
    return { good, problems };
  }

  async function storePage(run: SyncRunRow, pages: number, page: RemotePage, before: Counts, call: Call) {
    const found = await findFresh(run.connector_id, page.items, call);
    const fresh = found.map(({ item, record }): FreshItem => {
      const payload = toPayload(run.provider, run.connector_id, item, clock.now());
      return { id: item.id, record, payload };
    });

    async function store(good: readonly FreshItem[], problems: readonly RemoteProblem[]) {
      let counts: Counts = before;
      let isCancelled = false;
      // A page without news changes only the place in the source.
      const audit = good.length === 0 ? 'none' : call.audit;
      const payloads = good.map(({ payload }) => payload);
      await sink.submit(payloads, { ...call, audit, durability: 'soon' }, function* (db, answers) {
        const records: readonly KnownItem[] = good.map(({ record }) => record);
        if (records.length > 0) yield* saveKnownItems(db, run.connector_id, records);
        yield* saveCursor(db, run.connector_id, page.cursor);
        counts = {
          added: before.added + answers.filter(({ created }) => created).length,
          updated: before.updated + answers.filter((a) => !a.created && a.observations_added > 0).length,
          errors: before.errors + problems.length,
          problems: [...before.problems, ...problems].slice(0, integrationLimits.shownProblemsCount),
        };
        const problemsText = JSON.stringify(counts.problems);
        const saved = yield* saveProgress(db, { id: run.id, pages, ...counts, problems: problemsText });
        if (saved === undefined) throw new LostRun();
        isCancelled = saved.is_cancelled !== 0;
      });
      return { counts, isCancelled };
    }

    const unreadable = page.problems ?? [];
    try {
      return await store(fresh, unreadable);
    } catch (error) {
      if (!isRejection(error)) throw error;
      // One of them is rejected, so none is stored: find out which.
      const { good, problems } = await checkEach(fresh, call);
      return await store(good, [...unreadable, ...problems]);
    }
  }

  /** Adds the pages that it stores to `progress`. */
  async function syncPages(
    connector: Connector,
    row: ConnectorRow,
    run: SyncRunRow,
    progress: Progress,
    call: Call,
    signal: AbortSignal,
  ) {
    let counts: Counts = { ...run, problems: JSON.parse(run.problems) as readonly RemoteProblem[] };
    const seen = new Set<string>();
    let cursor = row.cursor ?? undefined;
    while (progress.pages < run.pages_max) {
      signal.throwIfAborted();
      const page = await connector.fetchPage({ cursor, limit: run.page_limit, signal });
      if (page.hasMore && (page.cursor === cursor || seen.has(page.cursor)))
        throw integrationFaults.SYNC_FAILED({ why: 'the service returned the same page again and again' });
      seen.add(page.cursor);
      const stored = await storePage(run, progress.pages, page, counts, call);
      progress.pages += 1;
      counts = stored.counts;
      cursor = page.cursor;
      call.progress(counts.added + counts.updated, undefined, 'records');
      if (stored.isCancelled) return cancelled;
      if (!page.hasMore) break;
    }
    return undefined;
  }

  async function syncConnector(
    row: ConnectorRow,
    run: SyncRunRow,
    progress: Progress,
    call: Call,
    signal: AbortSignal,
  ) {
    if (run.is_cancelled !== 0) return cancelled;
    const connector = await open(row, call);
    try {
      return await syncPages(connector, row, run, progress, call, signal);
    } finally {
      await connector.close?.().catch(() => {});
    }
  }

  function toError(error: unknown): RunError {
    if (error instanceof Fault) return { code: error.code, message: error.message, fix: error.fix };
    log.error({ err: error }, 'a sync failed unexpectedly');
    return { code: 'SYNC_FAILED', message: 'The sync failed unexpectedly; the log has the reason' };
  }

  /** The caller holds the lease of the connector. If the signal aborts, the run stays open for another process. */
  return async (runId: string, call: Call, signal: AbortSignal): Promise<void> => {
    const { run, row } = await storage.read(call, function* (db) {
      const found = yield* findRun(db, runId);
      return { run: found, row: found && (yield* findConnector(db, found.connector_id)) };
    });
    if (run === undefined || row === undefined || run.completed_at !== null) return;
    const quiet: Call = { ...call, audit: 'none' };
    await storage.write(quiet, (db) => markRunning(db, runId));
    const progress = { pages: run.pages };
    let error: RunError | undefined;
    try {
      error = await syncConnector(row, run, progress, call, signal);
    } catch (thrown) {
      if (signal.aborted || thrown instanceof LostRun) return;
      error = toError(thrown);
    }
    await storage.write(quiet, function* (db) {
      const ended = yield* endRun(db, {
        id: runId,
        pages: progress.pages,
        status: error === undefined ? 'completed' : 'failed',
        error: error === undefined ? null : JSON.stringify(error),
      });
      if (ended > 0 && error === undefined) yield* noteSynced(db, row.id);
    });
  };
}
