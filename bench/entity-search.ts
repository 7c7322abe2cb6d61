import { setTimeout as wait } from 'node:timers/promises';
import type { PipeClient } from './pipe-client.ts';
import { makeHome, rssMb } from './processes.ts';
import type { Row } from './table.ts';
import { below, check, times, timesWithBaseline } from './timing.ts';
import { busyVendor, call, companiesCount, fill, noopLine, open, sizeOr, submitLine } from './truth.ts';

const size = sizeOr(1_000_000);

interface Found {
  readonly entities: readonly { readonly canonical_name: string }[];
  readonly total: number;
}

async function find(client: PipeClient, args: object): Promise<Found | undefined> {
  const line = await client.ask(call('retrieve_entities', args));
  // The first search of an imported store may find that its index is being built.
  if (line.includes('SEARCH_FAILED')) return undefined;
  return (JSON.parse(check(line)) as { result: { structuredContent: Found } }).result.structuredContent;
}

/** Waits for the index of an imported store, and returns the seconds. */
async function awaitIndex(client: PipeClient, lastInvoice: number): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const found = await find(client, { query: `INV-${lastInvoice}`, entity_type: 'invoice' });
    if ((found?.total ?? 0) > 0) return (performance.now() - startedAt) / 1_000;
    await wait(1_000);
  }
}

type Query = (n: number) => object;

/** What an agent asks: names, numbers, common words, filters, and a moment. */
const queries: Readonly<Record<string, Query>> = {
  'a name': (n) => ({ query: `Vendor ${(n * 101) % companiesCount}` }),
  'a number': (n) => ({ query: `INV-${n * 97 + 1}` }),
  'a question': (n) => ({ query: `what do we owe Vendor ${(n * 13) % companiesCount}` }),
  'a word of a third of all entities': (n) => ({ query: `invoice ${busyVendor}`, limit: 1 + (n % 20) }),
  'a name and filters': (n) => ({
    query: busyVendor,
    entity_type: 'invoice',
    fields: { currency: 'EUR', amount: { min: n * 10, max: n * 10 + 5_000 } },
  }),
  'filters alone': (n) => ({ entity_type: 'invoice', fields: { amount: (n * 37) % 100_000 } }),
  'common filters alone': (n) => ({ fields: { currency: 'EUR' }, limit: 1 + (n % 20) }),
  'a name at a moment': (n) => ({ query: `Vendor ${(n * 31) % companiesCount}`, at: '2025-01-01' }),
  'absent words': (n) => ({ query: `zzyzx${n}` }),
};

/** `retrieve_entities` with a query, in a store with very many observations. */
export async function benchEntitySearch(): Promise<readonly Row[]> {
  const { home, env, remove } = makeHome();
  try {
    const rate = await fill(home, env, size);
    const { program, client } = await open(env);
    const builtSeconds = await awaitIndex(client, Math.ceil(size / 3) - 1);
    const rows: Row[] = [
      { what: `truth import at ${size} observations`, value: rate, unit: '/s' },
      { what: `truth entity index of ${size} observations, built in`, value: builtSeconds, unit: 's' },
    ];
    for (const [what, query] of Object.entries(queries)) {
      const line = (n: number) => call('retrieve_entities', query(n));
      const { p95 } = await times(client, 200, line);
      rows.push(below(`truth search for ${what} at ${size} observations, p95`, p95, 'ms', 20));
    }
    const submit = await timesWithBaseline(client, 300, submitLine(40_000_000), noopLine);
    rows.push({ what: `truth submit at ${size} observations, with an index`, value: submit.value.p50, unit: 'ms' });
    rows.push({ what: 'truth memory with the index of entities', value: rssMb(program.child.pid ?? 0), unit: 'MB' });
    await program.stop();
    return rows;
  } finally {
    remove();
  }
}
