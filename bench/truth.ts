import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { bareInsert } from './bare-insert.ts';
import { callTool, initialize, initialized } from './messages.ts';
import { createPipeClient, type PipeClient } from './pipe-client.ts';
import { cpuMs, makeHome, probeFile, rssMb, runProgram, type Started, start } from './processes.ts';
import type { Row } from './table.ts';
import { below, callsWith, check, type Line, spreadOf, times, timesWithBaseline, within } from './timing.ts';

/** An invoice gives three observations: of itself, its vendor and its customer. */
const observationsEach = 3;
/** Every thirtieth invoice has the same vendor, so that a large store has an entity with ten thousand observations. */
const busyEvery = 30;
export const busyVendor = 'Busy Vendor';
export const companiesCount = 50_000;
const hubEdgesCount = 1_000;

const dayMs = 86_400_000;
const beginning = Date.UTC(2024, 0, 1);

export const sizeOr = (otherwise: number): number => Number(process.env['FOURFOLD_BENCH_OBSERVATIONS'] ?? otherwise);
/** All companies occur, and the whole section takes a few minutes. */
const size = Math.max(sizeOr(150_000), companiesCount * observationsEach);

const dayOf = (n: number): string => new Date(beginning + (n % 600) * dayMs).toISOString().slice(0, 10);

const envelopeOf = (n: number): object => ({
  capability_id: 'neotoma:store_invoice:v1',
  body: {
    invoice_number: `INV-${n}`,
    amount: (n * 37) % 100_000,
    currency: 'EUR',
    vendor_name: n % busyEvery === 0 ? busyVendor : `Vendor ${n % companiesCount}`,
    vendor_address: `${n % 997} Long Street`,
    customer_name: `Customer ${(n * 7) % companiesCount}`,
    date: dayOf(n),
  },
  provenance: {
    source_refs: [],
    extracted_at: new Date(beginning + n * 1_000).toISOString(),
    extractor_version: 'bench:v1',
  },
});

export const call = (name: string, args: object): string => callTool(name, args, 'legacy')(1);
export const submitLine = (from: number) => (n: number) => call('submit_payload', envelopeOf(from + n));
/** An update of a known person, with a relation, as an agent states it. */
const factLine = (from: number) => (n: number) =>
  call('store_fact', {
    subject: { type: 'person', name: `Person ${n % 50}` },
    fields: { city: `City ${from + n}` },
    relations: [{ type: 'WORKS_AT', to: { type: 'company', name: `Vendor ${n % 50}` } }],
  });
export const noopLine = () => call('probe_noop', {});

function entitiesOf(line: string): readonly { readonly entity_id: string }[] {
  const { result } = JSON.parse(check(line)) as {
    result: { structuredContent: { entities: { entity_id: string }[] } };
  };
  return result.structuredContent.entities;
}

interface Opened {
  readonly program: Started;
  readonly client: PipeClient;
}

export async function open(env: Readonly<Record<string, string>>): Promise<Opened> {
  const program = start(probeFile, [], env);
  const client = createPipeClient(program.child);
  await client.ask(initialize);
  program.child.stdin.write(`${initialized}\n`);
  return { program, client };
}

async function writeEnvelopes(file: string, count: number): Promise<void> {
  const out = createWriteStream(file);
  for (let n = 0; n < count; n += 1) {
    if (!out.write(`${JSON.stringify(envelopeOf(n))}\n`))
      await new Promise<void>((resolve) => out.once('drain', () => resolve()));
  }
  out.end();
  await finished(out);
}

/** Creates a store with this many observations and returns the payloads imported per second. */
export async function fill(
  home: string,
  env: Readonly<Record<string, string>>,
  observationsCount: number,
): Promise<number> {
  const file = join(home, 'envelopes.jsonl');
  const count = Math.ceil(observationsCount / observationsEach);
  await writeEnvelopes(file, count);
  const startedAt = performance.now();
  await runProgram(['truth', 'import', file], env);
  return (count * 1_000) / (performance.now() - startedAt);
}

/** Waits until the program has nothing to do, as after an import, whose index is built in the background. */
async function awaitQuiet({ program: { child } }: Opened): Promise<void> {
  const pauseMs = 500;
  for (let quietCount = 0; quietCount < 4; ) {
    const before = cpuMs(child.pid ?? 0);
    await wait(pauseMs);
    quietCount = cpuMs(child.pid ?? 0) - before < pauseMs / 10 ? quietCount + 1 : 0;
  }
}

interface WriteTimes {
  readonly write: number;
  /** Of an empty call and a bare insert together. */
  readonly floor: number;
  /** CPU time of the program per write; it varies less than the duration while others use the machine. */
  readonly cpu: number;
}

/** Alternating, because the flush speed of a disk changes within seconds. */
async function measureWrites(
  { client, program: { child } }: Opened,
  lineFrom: (from: number) => Line,
  from: number,
): Promise<WriteTimes> {
  const writes: number[] = [];
  const floors: number[] = [];
  const roundsCount = 5;
  const callsCount = 100;
  let cpu = 0;
  for (let round = 0; round < roundsCount; round += 1) {
    const { value, baseline } = await timesWithBaseline(client, callsCount, lineFrom(from + round * 1_000), noopLine);
    writes.push(value.p50);
    floors.push(baseline.p50 + bareInsert((n) => JSON.stringify(envelopeOf(n))).p50);
    const cpuBefore = cpuMs(child.pid ?? 0);
    await times(client, callsCount, lineFrom(from + round * 1_000 + 500));
    cpu += cpuMs(child.pid ?? 0) - cpuBefore;
  }
  const measuredCount = roundsCount * callsWith(callsCount);
  return { write: spreadOf(writes).p50, floor: spreadOf(floors).p50, cpu: cpu / measuredCount };
}

const cpuRow = (what: string, { cpu }: WriteTimes): Row => ({
  what: `truth ${what}, CPU per call`,
  value: cpu,
  unit: 'ms',
});

async function entityIdOf(client: PipeClient, identifier: string): Promise<string> {
  const line = await client.ask(call('get_entity_by_identifier', { identifier, entity_type: 'company' }));
  const [found] = entitiesOf(line);
  if (found === undefined) throw new Error(`no entity is called ${identifier}`);
  return found.entity_id;
}

/** One entity with many inbound edges. */
async function makeHub(client: PipeClient): Promise<string> {
  const hub = await entityIdOf(client, busyVendor);
  for (let n = 0; n < hubEdgesCount; n += 1) {
    const source = await entityIdOf(client, `Customer ${(n * 7) % companiesCount}`);
    const edge = { relationship_type: 'REFERS_TO', source_entity_id: source, target_entity_id: hub };
    check(await client.ask(call('create_relationship', edge)));
  }
  return hub;
}

async function measureReads(client: PipeClient): Promise<readonly Row[]> {
  const ids: string[] = [];
  for (let n = 1; ids.length < 500; n += 1) {
    const vendor = (n * 101) % companiesCount;
    // The invoices with these numbers are from the busy vendor.
    if (vendor % busyEvery !== 0) ids.push(await entityIdOf(client, `Vendor ${vendor}`));
  }
  const snapshotLine = (n: number) => call('get_entity_snapshot', { entity_id: ids[n % ids.length] });
  await times(client, ids.length, snapshotLine);
  const read = await timesWithBaseline(client, 2_500, snapshotLine, noopLine);
  const hub = await makeHub(client);
  const atLine = (n: number) =>
    call('get_entity_snapshot', { entity_id: hub, at: new Date(Date.now() - n * 1_000).toISOString() });
  const nearLine = () => call('get_graph_neighborhood', { node_id: hub, node_type: 'entity' });
  return [
    within(`truth snapshot at ${size} observations`, read.value.p50, read.baseline.p50, 2),
    below('truth snapshot at a moment, of 10000 observations, p95', (await times(client, 100, atLine)).p95, 'ms', 50),
    below(
      `truth neighbourhood of a node with ${hubEdgesCount} edges, p95`,
      (await times(client, 100, nearLine)).p95,
      'ms',
      20,
    ),
  ];
}

export async function benchTruth(): Promise<readonly Row[]> {
  const small = makeHome();
  const large = makeHome();
  try {
    const fewSize = 1_000;
    await fill(small.home, small.env, fewSize);
    const rate = await fill(large.home, large.env, size);
    const many = await open(large.env);
    const indexing = await measureWrites(many, submitLine, 30_000_000);
    await awaitQuiet(many);
    const submit = await measureWrites(many, submitLine, 10_000_000);
    const fact = await measureWrites(many, factLine, 0);
    const few = await open(small.env);
    const growth = await timesWithBaseline(
      many.client,
      500,
      submitLine(20_000_000),
      submitLine(20_000_000),
      few.client,
    );
    await few.program.stop();
    const reads = await measureReads(many.client);
    const rss = rssMb(many.program.child.pid ?? 0);
    await many.program.stop();
    return [
      { what: 'truth import of payloads', value: rate, unit: '/s', bar: '>= 2000', isMet: rate >= 2_000 },
      within(`truth submit at ${size} observations`, submit.write, submit.floor, 4),
      cpuRow('submit', submit),
      within(`truth store_fact at ${size} observations`, fact.write, fact.floor, 4),
      cpuRow('store_fact', fact),
      within('truth submit while the index is built, compared with later', indexing.write, submit.write, 1.25),
      within(
        `truth submit, ${size} observations compared with ${fewSize}`,
        growth.value.p50,
        growth.baseline.p50,
        1.25,
      ),
      ...reads,
      below(`truth memory at ${size} observations`, rss, 'MB', 250),
    ];
  } finally {
    small.remove();
    large.remove();
  }
}
