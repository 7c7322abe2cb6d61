import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { plaidSecrets, startPlaid } from '#tests/support/plaid-double.ts';
import { type engines, openTruth, type TruthProgram } from '../truth/truth-program.fixture.ts';

export type EngineName = (typeof engines)[number];

export interface Connected {
  readonly plaid_item: {
    readonly id: string;
    readonly item_id: string;
    readonly institution_name: string;
    readonly accounts: readonly object[];
  };
  readonly sync_summary?: Summary;
  readonly sync_error?: string;
}

export interface Summary {
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
}

export interface Synced {
  readonly syncs: readonly {
    readonly plaid_item_id: string;
    readonly item_id: string;
    readonly status: string;
    readonly summary: Summary;
    readonly next_cursor: string;
    readonly error?: string;
  }[];
  readonly total_synced_items: number;
}

export const summaryOf = (added: number, modified = 0, removed = 0): Summary => ({ added, modified, removed });

/** Plaid on loopback; every request to it must have fitted its description. */
export async function openPlaid() {
  const plaid = await startPlaid();
  onTestFinished(async () => {
    await plaid.close();
    expect(plaid.wrong).toEqual([]);
  });
  return plaid;
}

/** All bytes of the files in a folder, as text. */
const readAll = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

/** Everything in the tables that may hold something of Plaid. */
async function dumpTables(url: string | undefined): Promise<string> {
  if (url === undefined) return '';
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select set_config('app.tenant', 'local', false)");
    const rows = [];
    for (const table of ['plaid_items', 'plaid_transactions', 'idempotency', 'changes', 'truth_payloads']) {
      rows.push(...(await client.query(`select * from fourfold.${table}`)).rows);
    }
    expect(rows.length).toBeGreaterThan(0);
    return JSON.stringify(rows);
  } finally {
    await client.end();
  }
}

export function expectNoSecrets(texts: readonly string[]): void {
  for (const secret of [plaidSecrets.secret, plaidSecrets.tokenMark]) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  }
}

/** The built program with Plaid configured. Neither its answers nor its files may contain a secret. */
export async function openBank(engine: EngineName, env: Readonly<Record<string, string>> = {}) {
  const plaid = await openPlaid();
  const program = await openTruth(engine, { ...plaid.env, ...env });
  const answers: string[] = [];
  const { call, fail } = program;
  const kept = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    answers.push(JSON.stringify(value));
    return value;
  };
  onTestFinished(async () => {
    const files = readAll(program.home) + (await dumpTables(program.env['FOURFOLD_DATABASE_URL']));
    expect(files.length).toBeGreaterThan(0);
    expectNoSecrets([...answers, program.logged(), files]);
    await program.close();
  });
  const watched: TruthProgram = {
    ...program,
    call: <T>(...args: Parameters<TruthProgram['call']>) => kept(call<T>(...args)),
    fail: (...args) => kept(fail(...args)),
  };
  return { plaid, program: watched };
}

export const connect = (program: Pick<TruthProgram, 'call'>, public_token: string, trigger_initial_sync = false) =>
  program.call<Connected>('plaid_exchange_public_token', { public_token, trigger_initial_sync });

export const syncAll = (program: Pick<TruthProgram, 'call'>, more: Readonly<Record<string, unknown>> = {}) =>
  program.call<Synced>('plaid_sync', { sync_all: true, ...more });

interface Entities {
  readonly total: number;
  readonly entities: readonly { readonly entity_id: string }[];
}

/** Statements about each transaction: its status and how many observations it has. */
export async function readTransactions(program: Pick<TruthProgram, 'call'>) {
  const { entities, total } = await program.call<Entities>('retrieve_entities', {
    entity_type: 'transaction',
    limit: 1_000,
  });
  const found: Record<
    string,
    { readonly observation_count: number; readonly snapshot: Readonly<Record<string, unknown>> }
  > = {};
  for (const { entity_id } of entities) {
    const one = await program.call<(typeof found)[string]>('get_entity_snapshot', { entity_id });
    found[String(one.snapshot['transaction_id'])] = one;
  }
  return { total, found };
}
