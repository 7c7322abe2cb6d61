import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { z } from 'zod';
import { type Call, toTenantId } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { integrationFaults } from '../integration-faults.ts';
import type { ConnectorType } from './connector.ts';
import {
  type ConnectorRow,
  deleteConnector,
  deleteItems,
  endOpenRuns,
  findConnector,
  findLastRun,
  insertConnector,
  listConnectors,
  type SyncRunRow,
} from './connector-store.ts';
import { connectableProviders, loadConnectorType } from './connector-types.ts';
import type { AddInput, ShownConnector } from './connectors-model.ts';
import { expectProvider, whyNotConnectable } from './provider-catalog.ts';
import { createTextReader } from './reader-tasks.ts';
import { secretOwner } from './run-sync.ts';
import { type SyncsDeps, toRun } from './syncs.ts';

const useAvailable = `Providers that can be connected: ${connectableProviders.join(', ')}.`;

const toShown = (row: ConnectorRow, lastRun: SyncRunRow | undefined): ShownConnector => {
  const { address } = JSON.parse(row.options) as { address?: string };
  return {
    connector_id: row.id,
    provider: row.provider,
    name: row.name,
    ...(address !== undefined && { address }),
    created_at: toIso(row.created_at),
    ...(row.synced_at !== null && { last_synced_at: toIso(row.synced_at) }),
    syncing: lastRun !== undefined && lastRun.completed_at === null,
    ...(lastRun !== undefined && { last_run: toRun(lastRun) }),
  };
};

async function readSecret(file: string | undefined, field: string): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return (file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8')).trim();
  } catch {
    throw faults.NOT_FOUND({ what: `the file ${file}` }, { field, fix: 'Name an existing file that you may read.' });
  }
}

function checkSecret(type: ConnectorType, secret: string | undefined): void {
  const isGiven = secret !== undefined && secret !== '';
  if (type.secret === undefined ? isGiven : !isGiven && type.secret.isOptional !== true) {
    const why = type.secret === undefined ? 'this provider takes no secret' : `it needs ${type.secret.what}`;
    throw faults.VALIDATION_ERROR({ why }, { field: 'secretFile' });
  }
}

export const createConnectors = ({ storage, sealed, ids, outbound, workers, clock, readMail }: SyncsDeps) => ({
  /** Opens the connection once, so that a wrong address or password shows here and not in the first sync. */
  async add(input: AddInput, caller: Call): Promise<ShownConnector> {
    const { provider, name = provider, secretFile, tenant, ...rest } = input;
    const { clientId, clientSecretFile, redirectPort, waitSeconds, ...given } = rest;
    const call = tenant === undefined ? caller : { ...caller, tenant: toTenantId(tenant) };
    const why = whyNotConnectable(expectProvider(provider));
    if (why !== undefined) throw faults.VALIDATION_ERROR({ why }, { field: 'provider', fix: useAvailable });
    const type = (await loadConnectorType(provider))!;
    const parsed = type.options.safeParse(given);
    if (!parsed.success) throw faults.VALIDATION_ERROR({ why: z.prettifyError(parsed.error) });
    const deps = {
      outbound: await outbound(),
      now: () => clock.now(),
      readText: createTextReader(workers, call.tenant),
    };
    let secret = await readSecret(secretFile, 'secretFile');
    if (clientId !== undefined && secret === undefined) {
      const { logIn } = await import('./oauth/log-in.ts');
      const clientSecret = await readSecret(clientSecretFile, 'clientSecretFile');
      const login = { clientId, clientSecret, redirectPort, waitSeconds };
      secret = await logIn(type.oauth?.(parsed.data), login, deps, call.signal);
    }
    checkSecret(type, secret);
    const connector = await type.open(parsed.data, secret, {
      ...deps,
      readMail: (mail, signal) => readMail(mail, call.tenant, signal),
      async saveSecret(renewed) {
        secret = renewed;
      },
    });
    try {
      await connector.fetchPage({ cursor: undefined, limit: 1, signal: call.signal });
    } finally {
      await connector.close?.().catch(() => {});
    }
    const id = ids.uuid();
    const options = JSON.stringify(parsed.data);
    const row = await storage.write(call, function* (db) {
      yield* insertConnector(db, {
        id,
        provider,
        name,
        options,
        secret: secret ? sealed.seal(secret, secretOwner(call, id)) : null,
      });
      yield* db.changed('connector', id, 'create', sha256Hex(options));
      return yield* findConnector(db, id);
    });
    return toShown(row!, undefined);
  },
  list: (call: Call): Promise<readonly ShownConnector[]> =>
    storage.read(call, function* (db) {
      const shown: ShownConnector[] = [];
      for (const row of yield* listConnectors(db)) shown.push(toShown(row, yield* findLastRun(db, row.id)));
      return shown;
    }),
  /** What it brought in stays. */
  async remove(id: string, call: Call) {
    await storage.write(call, function* (db) {
      if ((yield* deleteConnector(db, id)) === 0)
        throw integrationFaults.CONNECTOR_NOT_FOUND({ why: 'nothing has this id' });
      yield* deleteItems(db, id);
      yield* endOpenRuns(db, id, JSON.stringify({ code: 'CANCELLED', message: 'The connector was removed' }));
      yield* db.changed('connector', id, 'delete', '');
    });
    return { connector_id: id, removed: true };
  },
});
