import { type Call, type TenantId, withoutKey } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Leases } from '#kernel/jobs/leases.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { integrationFaults } from '../integration-faults.ts';
import { integrationLimits } from '../integration-limits.ts';
import {
  type ConnectorRow,
  cancelRun,
  findOpenRun,
  findRun,
  insertRun,
  listConnectors,
  listOpenRuns,
  type SyncRunRow,
  saveCursor,
} from './connector-store.ts';
import type { SyncAnswer, SyncInput } from './connectors-model.ts';
import { expectProvider, whyNotConnectable } from './provider-catalog.ts';
import { createSyncRunner, type RunDeps } from './run-sync.ts';

export interface SyncsDeps extends RunDeps {
  readonly ids: Ids;
  readonly leases: Leases;
}

type ConnectorChoice = Pick<SyncInput, 'provider' | 'connector_id'>;

export const toRun = (run: SyncRunRow) => ({
  sync_run_id: run.id,
  status: run.status,
  stats: { records_added: run.added, records_updated: run.updated, errors: run.errors },
  pages: run.pages,
  started_at: toIso(run.started_at),
  ...(run.completed_at !== null && { completed_at: toIso(run.completed_at) }),
  ...(run.error !== null && { error: JSON.parse(run.error) as NonNullable<SyncAnswer['error']> }),
});

const toAnswer = (run: SyncRunRow): SyncAnswer => ({
  ...toRun(run),
  provider: run.provider,
  connector_id: run.connector_id,
  ...(run.errors > 0 && { problems: JSON.parse(run.problems) as { id: string; why: string }[] }),
});

export function createSyncs(deps: SyncsDeps) {
  const { storage, ids, leases, log } = deps;
  const runSync = createSyncRunner(deps);
  const stopping = new AbortController();
  /** What this process works on in the background, by run. */
  const running = new Map<string, Promise<void>>();

  function chooseConnector(rows: readonly ConnectorRow[], { provider, connector_id }: ConnectorChoice): ConnectorRow {
    const known = expectProvider(provider);
    const mine = rows.filter((row) => row.provider === provider);
    const chosen = connector_id === undefined ? mine : mine.filter(({ id }) => id === connector_id);
    if (chosen.length > 1) {
      const shown = chosen.slice(0, integrationLimits.shownConnectorsCount).map(({ id, name }) => ({ id, name }));
      const why = `${provider} has ${chosen.length} connectors; pass connector_id`;
      throw faults.VALIDATION_ERROR({ why }, { field: 'connector_id', connectors: shown });
    }
    if (chosen.length === 1) return chosen[0]!;
    if (connector_id !== undefined && mine.length > 0)
      throw integrationFaults.CONNECTOR_NOT_FOUND({ why: `no connector of ${provider} has this id` });
    const toAdd = `nothing of the provider ${provider} is connected; run \`fourfold connectors add ${provider}\``;
    throw integrationFaults.CONNECTOR_NOT_FOUND({ why: whyNotConnectable(known) ?? toAdd });
  }

  /** Returns the open run if there is one: two syncs of a connector never run together. */
  async function start(input: SyncInput, call: Call): Promise<SyncRunRow> {
    const id = ids.uuid();
    const { defaultPageItemsCount, defaultPagesCount } = integrationLimits;
    return storage.write(call, function* (db) {
      const row = chooseConnector(yield* listConnectors(db), input);
      const made = yield* insertRun(db, {
        id,
        connector_id: row.id,
        provider: row.provider,
        page_limit: input.limit ?? defaultPageItemsCount,
        pages_max: input.max_pages ?? defaultPagesCount,
      });
      if (made !== undefined && input.sync_type === 'initial') yield* saveCursor(db, row.id, null);
      return (yield* findOpenRun(db, row.id))!;
    });
  }

  async function read(id: string, call: Call): Promise<SyncRunRow> {
    const run = await storage.read(call, (db) => findRun(db, id));
    if (run === undefined) {
      const fix = 'connectors_list shows the last run of each connector.';
      throw faults.NOT_FOUND({ what: 'sync run' }, { field: 'sync_run_id', fix });
    }
    return run;
  }

  /** Does nothing if another process works on the connector. */
  async function work(run: Pick<SyncRunRow, 'id' | 'connector_id'>, call: Call, signal: AbortSignal): Promise<void> {
    const lease = `sync:${call.tenant}:${run.connector_id}`;
    await leases.hold(lease, integrationLimits.syncLeaseMs, (lost) =>
      runSync(run.id, call, AbortSignal.any([lost, signal])),
    );
  }

  const jobCall = (tenant: TenantId, progress: Call['progress'] = () => {}): Call => ({
    ...systemCall('sync_provider_imports', { tenant, actor: 'connector', audit: 'row' }),
    progress,
  });

  /** A run that finds no free place stays open: the job takes it later, here or in another process. */
  function workInBackground(run: Pick<SyncRunRow, 'id' | 'connector_id'>, tenant: TenantId): void {
    if (stopping.signal.aborted || running.has(run.id) || running.size >= integrationLimits.syncsCount) return;
    const started = work(run, jobCall(tenant), stopping.signal)
      // The run stays open, and the job tries again.
      .catch((error: unknown) => log.error({ err: error, run: run.id }, 'a sync could not be run'))
      .finally(() => running.delete(run.id));
    running.set(run.id, started);
  }

  const chooseOpenRun = (input: ConnectorChoice, call: Call): Promise<SyncRunRow | undefined> =>
    storage.read(call, function* (db) {
      return yield* findOpenRun(db, chooseConnector(yield* listConnectors(db), input).id);
    });

  return {
    async sync(input: SyncInput, call: Call): Promise<SyncAnswer> {
      if (input.sync_run_id !== undefined) {
        const { sync_run_id } = input;
        const run = await read(sync_run_id, call);
        if (input.cancel && run.completed_at === null)
          await storage.write(withoutKey(call), (db) => cancelRun(db, sync_run_id));
        if (run.completed_at === null) workInBackground(run, call.tenant);
        return toAnswer(run);
      }
      if (input.cancel) throw faults.VALIDATION_ERROR({ why: 'cancel needs sync_run_id' }, { field: 'sync_run_id' });
      const run = await start(input, call);
      workInBackground(run, call.tenant);
      return toAnswer(run);
    },
    /** Runs a sync in this call, for the command line. */
    async syncNow(input: SyncInput, call: Call): Promise<SyncAnswer> {
      const run = await start(input, call);
      await work(run, jobCall(call.tenant, call.progress), call.signal);
      return toAnswer(await read(run.id, call));
    },
    /** Ends an open run: immediately if no process works on it, else after its current page. */
    async cancel(input: ConnectorChoice, call: Call): Promise<SyncAnswer> {
      const run = await chooseOpenRun(input, call);
      if (run === undefined) {
        const fix = 'connectors_list shows which connectors are syncing.';
        throw faults.NOT_FOUND({ what: 'a running sync of this connector' }, { field: 'provider', fix });
      }
      await storage.write(withoutKey(call), (db) => cancelRun(db, run.id));
      await work(run, jobCall(call.tenant), call.signal);
      return toAnswer(await read(run.id, call));
    },
    /** Starts runs that no process works on. Does not wait for them, so that a long one does not delay the others. */
    async resume(tenant: TenantId): Promise<void> {
      const open = await storage.read(jobCall(tenant), (db) => listOpenRuns(db));
      for (const run of open) workInBackground(run, tenant);
    },
    async close(): Promise<void> {
      stopping.abort(new Error('the program is shutting down'));
      await Promise.all(running.values());
    },
  };
}
