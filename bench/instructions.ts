import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, initialize, initialized } from './messages.ts';
import { createPipeClient, type PipeClient } from './pipe-client.ts';
import { makeHome, probeFile, rssMb, start } from './processes.ts';
import type { Row } from './table.ts';
import { below, check, times, timesWithBaseline, within } from './timing.ts';

const words =
  'review commit branch test deploy secret rotate style naming retry timeout schema migrate rollback alert owner cache queue index token'.split(
    ' ',
  );
const wordAt = (n: number): string => words[n % words.length] ?? '';

/** About two kilobytes of text that repeats like rules do, with a few unique words. */
const bodyOf = (n: number): string =>
  Array.from({ length: 40 }, (_, line) => {
    const text = Array.from({ length: 6 }, (__, i) => wordAt(n * 7 + line * 5 + i * 3)).join(' ');
    return `- ${text} ${line % 8 === 0 ? `topic${(n * 31 + line) % 997}` : 'always'}`;
  }).join('\n');

const idOf = (n: number): string => `entry-${String(n).padStart(6, '0')}`;

const entryOf = (n: number): object => ({
  id: idOf(n),
  title: `${wordAt(n)} and ${wordAt(n >> 3)} number ${n}`,
  body: bodyOf(n),
  priority: 21 + (n % 80),
  audience: 'all',
  requirement: 'recommended',
  categories: [wordAt(n), `area-${n % 50}`],
});

type CreateEntry = (n: number) => object;

const conditionsOf: readonly CreateEntry[] = [
  (n) => ({ files: [`src/area-${n % 50}/**/*.ts`] }),
  (n) => ({ tasks: [`topic${n % 997}`] }),
  (n) => ({ folders: [`apps/app-${n % 200}`] }),
  (n) => ({ all: [{ languages: ['ts'] }, { files: [`**/part-${n % 100}/**`] }] }),
];

/** A rule that applies to some tasks. */
export const ruleOf: CreateEntry = (n) => ({ ...entryOf(n), appliesTo: conditionsOf[n % conditionsOf.length]?.(n) });

/** Files in the format of the program, so that loading rewrites nothing. */
export function fillFolder(folder: string, count: number, createEntry: CreateEntry): void {
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n += 1) {
    writeFileSync(join(folder, `${idOf(n)}.json`), `${JSON.stringify(createEntry(n), null, 2)}\n`);
  }
}

const removals: (() => void)[] = [];

interface Opened {
  readonly client: PipeClient;
  readonly pid: number;
  readonly firstMs: number;
  stop(): Promise<void>;
}

const listOne = callTool('instructions_list', { limit: 1 }, 'legacy');

async function open(env: Readonly<Record<string, string>>): Promise<Opened> {
  const program = start(probeFile, [], { ...env, MCP_ENABLE_MUTATION: '1' });
  const client = createPipeClient(program.child);
  await client.ask(initialize);
  program.child.stdin.write(`${initialized}\n`);
  await client.ask(callTool('probe_noop', {}, 'legacy')(1));
  const startedAt = performance.now();
  check(await client.ask(listOne(2)));
  return {
    client,
    pid: program.child.pid ?? 0,
    firstMs: performance.now() - startedAt,
    stop: () => program.stop(),
  };
}

const getLine = (size: number) => (n: number) =>
  callTool('instructions_get', { id: idOf((n * 7_919) % size) }, 'legacy')(n + 10);
const noopLine = (n: number) => callTool('probe_noop', {}, 'legacy')(n + 10);
const searchLine = (n: number) =>
  callTool('instructions_search', { q: `${wordAt(n)} topic${(n * 31) % 997}`, limit: 10 }, 'legacy')(n + 10);
const addLine = (mark: string) => (n: number) =>
  callTool('instructions_add', { entry: { ...entryOf(n), id: `${mark}-${n}` } }, 'legacy')(n + 10);

async function measureReads(client: PipeClient, size: number): Promise<readonly Row[]> {
  // Reads every entry once, to measure a program that has been running for a while.
  await times(client, size, getLine(size));
  const get = await timesWithBaseline(client, size, getLine(size), noopLine);
  const search = await times(client, 1_000, searchLine);
  return [
    within(`instructions get of ${size}`, get.value.p50, get.baseline.p50, 1.5),
    below(`instructions search of ${size}, p50`, search.p50, 'ms', 3),
    below(`instructions search of ${size}, p95`, search.p95, 'ms', 10),
  ];
}

async function loadBest(size: number, env: Readonly<Record<string, string>>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const opened = await open(env);
    best = Math.min(best, opened.firstMs);
    await opened.stop();
  }
  if (best === Number.POSITIVE_INFINITY) throw new Error(`no load of ${size} was measured`);
  return best;
}

async function withCatalog<T>(
  size: number,
  work: (env: Readonly<Record<string, string>>, home: string) => Promise<T>,
  createEntry: CreateEntry = entryOf,
): Promise<T> {
  const { home, env, remove } = makeHome();
  const folder = join(home, 'rules');
  fillFolder(folder, size, createEntry);
  const own = { ...env, INSTRUCTIONS_DIR: folder };
  try {
    // The first start also builds the search index; later starts are measured.
    const first = await open(own);
    check(await first.client.ask(searchLine(0)));
    await first.stop();
    return await work(own, home);
  } finally {
    removals.push(remove);
  }
}

const measureMany = (size: number): Promise<readonly Row[]> =>
  withCatalog(size, async (env) => {
    const loadMs = await loadBest(size, env);
    const opened = await open(env);
    const reads = await measureReads(opened.client, size);
    const add = await times(opened.client, 200, addLine('added'));
    const rss = rssMb(opened.pid);
    await opened.stop();
    return [
      ...reads,
      below(`instructions add at ${size}, durable, p50`, add.p50, 'ms', 3),
      below(`instructions load of ${size} files`, loadMs, 'ms', 300),
      below(`instructions memory at ${size}`, rss, 'MB', 150),
    ];
  });

const writeCost = (size: number): Promise<{ readonly p50: number; readonly loadMs: number }> =>
  withCatalog(size, async (env) => {
    const loadMs = await loadBest(size, env);
    const opened = await open(env);
    const { p50 } = await times(opened.client, 200, addLine('grown'));
    await opened.stop();
    return { p50, loadMs };
  });

async function measureGrowth(): Promise<readonly Row[]> {
  const small = await writeCost(500);
  const large = await writeCost(50_000);
  const most = 1.5 * small.p50 + 6;
  return [
    {
      what: 'instructions add at 50000, compared with 500',
      value: large.p50,
      unit: 'ms',
      baseline: small.p50,
      ratio: large.p50 / small.p50,
      bar: `<= ${most.toFixed(2)} ms`,
      isMet: large.p50 <= most,
    },
    below('instructions load of 50000 files', large.loadMs, 'ms', 3_000),
  ];
}

/** In chunks of the size that `fourfold instructions import` sends. */
async function measureImport(count: number): Promise<readonly Row[]> {
  const { env, remove } = makeHome();
  const opened = await open(env);
  const chunk = 200;
  const startedAt = performance.now();
  for (let from = 0; from < count; from += chunk) {
    const entries = Array.from({ length: Math.min(chunk, count - from) }, (_, i) => entryOf(from + i));
    const line = callTool('instructions_import', { entries, mode: 'skip' }, 'legacy');
    check(await opened.client.ask(line(from + 10)));
  }
  const ms = performance.now() - startedAt;
  await opened.stop();
  removals.push(remove);
  return [below(`instructions import of ${count}`, ms, 'ms', 5_000)];
}

const placeOf = (n: number): object => ({ files: [`src/area-${n % 50}/part-${n % 100}/a.ts`] });
/** Another text in each call, so that no query vector is cached. */
const taskOf = (n: number): string => `${wordAt(n)} the ${wordAt(n + 3)} of topic${(n * 31) % 997}, attempt ${n}`;
const placeLine = (n: number) => callTool('instructions_applicable', placeOf(n), 'legacy')(n + 10);
const taskLine = (n: number) =>
  callTool('instructions_applicable', { ...placeOf(n), task: taskOf(2 * n) }, 'legacy')(n + 10);
const hybridLine = (n: number) =>
  callTool('instructions_search', { q: taskOf(2 * n + 1), mode: 'hybrid', limit: 10 }, 'legacy')(n + 10);

/** Repeats until every entry is embedded. */
async function untilEmbedded(client: PipeClient): Promise<void> {
  const ask = callTool('instructions_search', { q: 'review', mode: 'semantic', limit: 1 }, 'legacy');
  for (let n = 0; ; n += 1) if (!check(await client.ask(ask(n + 10))).includes('embedded')) return;
}

/** With hashed words as embeddings: a real model costs both calls the same, which would hide the difference. */
const measureApplicable = (size: number): Promise<readonly Row[]> =>
  withCatalog(
    size,
    async (env) => {
      const opened = await open({ ...env, FOURFOLD_EMBEDDING_MODEL: 'debug' });
      const first = await times(opened.client, 1_000, placeLine);
      await untilEmbedded(opened.client);
      const both = await timesWithBaseline(opened.client, 500, taskLine, hybridLine);
      await opened.stop();
      return [
        below(`rules that apply, of ${size}, p50`, first.p50, 'ms', 3),
        within(`rules that apply and may apply, of ${size}, p50`, both.value.p50, both.baseline.p50, 1.5),
      ];
    },
    ruleOf,
  );

/**
 * Deletes folders at the end: ext4 skips recently freed inodes when it creates files, so deleting earlier would slow
 * down the next section.
 */
export async function benchInstructions(): Promise<readonly Row[]> {
  try {
    return [
      ...(await measureImport(5_000)),
      ...(await measureMany(5_000)),
      ...(await measureApplicable(5_000)),
      ...(await measureGrowth()),
    ];
  } finally {
    for (const remove of removals.splice(0)) remove();
  }
}
