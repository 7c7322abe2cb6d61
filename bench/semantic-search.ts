import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Call, localTenant } from '#kernel/call.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { openMiniLm } from '#kernel/embed/minilm/open-minilm.ts';
import { signBytes } from '#kernel/embed/token-signs.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { silentLog } from '#kernel/log/log.ts';
import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import { hybridProfiles, hybridSearch } from '#kernel/search/hybrid.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import { createSemanticSearch } from '#kernel/search/semantic/create-semantic-search.ts';
import { judge, paraphrasedDocuments, paraphrasedQueries } from '#kernel/search/semantic/paraphrases.fixture.ts';
import { createVectorIndex } from '#kernel/search/semantic/vectors/vector-index.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import { benchBacklog } from './backlog.ts';
import type { Row } from './table.ts';
import { within } from './timing.ts';

const documentCount = 100_000;
const dimension = 384;
const pages = defineCollection({ name: 'meaning-bench', fields: { title: 3, body: 1 }, title: 'title' });
const call: Call = systemCall('bench', { tenant: localTenant });
const words = paraphrasedDocuments.flatMap(({ fields }) => Object.values(fields).join(' ').split(' '));

/** Seeded: the same numbers in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = createRandom(11);
const word = (): string => words[Math.floor(random() * words.length)]!;
const text = (count: number): string => Array.from({ length: count }, word).join(' ');
const manySigns = Uint8Array.from({ length: 1_000 * signBytes(dimension) }, () => random() * 256);
/** Of the tokens of a document with 45 words. */
function toSigns(): Uint8Array {
  const at = Math.floor(random() * 945) * signBytes(dimension);
  return manySigns.slice(at, at + 55 * signBytes(dimension));
}
const toVector = (): Float32Array => Float32Array.from({ length: dimension }, () => random() - 0.5);

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;

async function timed(count: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** CPU seconds of all threads, which vary less than wall-clock time on a busy machine. */
async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const never = new AbortController().signal;
const residentMb = (): number => process.memoryUsage().rss / 2 ** 20;

function openStore(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `fourfold-bench-${name}-`));
  const storage = openSqlite({
    file: join(folder, 'store.db'),
    migrations,
    clock: systemClock,
    log: silentLog,
    auditKey: Buffer.alloc(32),
  });
  const ids = createIds(systemClock);
  const common = {
    storage,
    ids,
    clock: systemClock,
    log: silentLog,
    leases: createLeases({ storage, clock: systemClock, ids }),
  };
  const close = async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { storage, common, close };
}

/** The model itself: loading time, memory and throughput. */
async function benchModel(): Promise<{ rows: Row[]; embedder: Embedder } | undefined> {
  const before = residentMb();
  const embedder = await openMiniLm({ batchCount: 16 });
  if (embedder === undefined) return undefined;
  const query = () => embedder.embed([text(6)], { signal: never, purpose: 'query' });
  const [firstMs] = await timed(1, query);
  const rows: Row[] = [{ what: 'first query: thread, weights and vector', value: firstMs!, unit: 'ms' }];
  await timed(100, query);
  let queries: readonly number[] = [];
  const queriesS = await cpuSeconds(async () => {
    queries = await timed(200, query);
  });
  rows.push({ what: 'query of six words, p50', value: percentile(queries, 0.5), unit: 'ms' });
  rows.push({ what: 'queries per CPU-second', value: 200 / queriesS, unit: '/s' });
  const paragraphs = Array.from({ length: 64 }, () => text(100));
  await embedder.embed(paragraphs.slice(0, 16), { signal: never, purpose: 'document' });
  const paragraphsS = await cpuSeconds(() => embedder.embed(paragraphs, { signal: never, purpose: 'document' }));
  rows.push({ what: 'paragraphs of 100 words per CPU-second', value: 64 / paragraphsS, unit: '/s' });
  // The same texts as queries and in bulk, so that their tokens are the same; with the vectors of the tokens, as cells.
  const short = Array.from({ length: 200 }, () => text(6));
  const tokens = embedder.tokens!;
  const inBulkS = await cpuSeconds(() => tokens.embedDocuments(short, never));
  const oneByOneS = await cpuSeconds(async () => {
    for (const one of short) await tokens.embedQuery(one, never);
  });
  rows.push(within('a query of six words, CPU, compared with bulk', oneByOneS * 5, inBulkS * 5, 2));
  const busy = embedder.embed(paragraphs, { signal: never, purpose: 'document' });
  const meanwhile = await timed(20, query);
  await busy;
  rows.push({ what: 'query while documents are embedded, p95', value: percentile(meanwhile, 0.95), unit: 'ms' });
  rows.push({ what: 'memory that the model takes', value: residentMb() - before, unit: 'MB' });
  return { rows, embedder };
}

async function benchQuality(embedder: Embedder): Promise<readonly Row[]> {
  const { storage, common, close } = openStore('quality');
  const index = createSearchIndex(common);
  const meaning = createSemanticSearch({ ...common, embedder: async () => ({ ...embedder, close: async () => {} }) });
  const documents = new Map(paraphrasedDocuments.map((document) => [document.id, document]));
  meaning.provide(pages, {
    texts: async (_call, ids) =>
      new Map(ids.map((id) => [id, { text: Object.values(documents.get(id)!.fields).join('\n') }])),
    ids: async () => [],
  });
  await storage.write(call, function* (db) {
    yield* index.put(db, pages, ...paraphrasedDocuments);
    yield* meaning.note(db, pages, ...documents.keys());
  });
  await meaning.settle();
  const sums = { words: 0, meaning: 0, both: 0 };
  for (const { query, wanted } of paraphrasedQueries) {
    const asked = { text: query, limit: 10 };
    const idsOf = (hits: readonly { readonly id: string }[] = []) => hits.map(({ id }) => id);
    sums.words += judge(idsOf((await index.search(call, pages, asked)).hits), wanted);
    sums.meaning += judge(idsOf((await meaning.nearest(call, pages, asked))?.hits), wanted);
    sums.both += judge(
      idsOf(
        (await hybridSearch({ index, semantic: meaning, profile: hybridProfiles.notebooks }, call, pages, asked)).hits,
      ),
      wanted,
    );
  }
  await meaning.close();
  await index.close();
  await close();
  const share = (sum: number) => sum / paraphrasedQueries.length;
  return [
    { what: 'paraphrases, nDCG@10 by words', value: share(sums.words), unit: '' },
    { what: 'paraphrases, nDCG@10 by meaning', value: share(sums.meaning), unit: '' },
    {
      what: 'paraphrases, nDCG@10 by both',
      value: share(sums.both),
      unit: '',
      baseline: share(sums.words),
      ratio: sums.both / sums.words,
      bar: '> 1',
      isMet: sums.both > sums.words,
    },
  ];
}

function* createDocuments(): Generator<SearchDocument<'title' | 'body'>> {
  for (let i = 0; i < documentCount; i += 1) {
    yield { id: `page-${i}`, fields: { title: text(5), body: text(40) }, facets: { tag: `t${i % 20}` } };
  }
}

/** Random vectors: an exact scan costs the same for any vectors. */
async function benchScale(embedder: Embedder): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const { storage, common, close } = openStore('scale');
  const toCall = () => call;
  const writer = createVectorIndex({ storage, toCall });
  const startedAt = performance.now();
  for (let at = 0; at < documentCount; at += 200) {
    const some = Array.from({ length: 200 }, (_, i) => ({
      id: `page-${at + i}`,
      model: embedder.id,
      textHash: '',
      vectors: [toVector()],
      tokenSigns: toSigns(),
      facets: { tag: `t${(at + i) % 20}` },
    }));
    await storage.write(call, (db) => writer.put(db, pages, some));
  }
  rows.push({
    what: 'store 100,000 vectors with the signs of 55 tokens each',
    value: (performance.now() - startedAt) / 1_000,
    unit: 's',
  });

  const vectors = createVectorIndex({ storage, toCall });
  const before = residentMb();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const ask = (filters: readonly { key: string; any: string[] }[] = []) =>
    vectors.nearest(call, pages, { model: embedder.id, vector: toVector(), limit: 10, filters });
  const [openMs] = await timed(1, ask);
  delay.disable();
  rows.push({ what: 'open them: first search of a new process', value: openMs!, unit: 'ms' });
  rows.push({ what: 'longest stall of the event loop meanwhile', value: delay.max / 1e6, unit: 'ms' });
  rows.push({ what: 'memory that they take', value: residentMb() - before, unit: 'MB' });
  await timed(50, ask);
  let scans: readonly number[] = [];
  const scansS = await cpuSeconds(async () => {
    scans = await timed(300, ask);
  });
  rows.push({ what: 'nearest 10 of 100,000, CPU', value: (scansS * 1_000) / 300, unit: 'ms' });
  rows.push({ what: 'nearest 10 of 100,000, p50', value: percentile(scans, 0.5), unit: 'ms' });
  rows.push({ what: 'nearest 10 of 100,000, p95', value: percentile(scans, 0.95), unit: 'ms' });
  const filtered = await timed(200, () => ask([{ key: 'tag', any: ['t3'] }]));
  rows.push({ what: 'the same with one tag, p95', value: percentile(filtered, 0.95), unit: 'ms' });

  const index = createSearchIndex(common);
  await index.rebuild(call, pages, createDocuments());
  await index.maintain(localTenant, pages);
  const meaning = createSemanticSearch({ ...common, embedder: async () => ({ ...embedder, close: async () => {} }) });
  meaning.provide(pages, { keepsTokens: true, texts: async () => new Map(), ids: async () => [] });
  const search = () =>
    hybridSearch({ index, semantic: meaning, profile: { ...hybridProfiles.notebooks, relevanceMin: 0 } }, call, pages, {
      text: text(5),
      limit: 10,
    });
  await timed(30, search);
  const both = await timed(200, search);
  const p95 = percentile(both, 0.95);
  const queries = await timed(100, () => embedder.embed([text(5)], { signal: never, purpose: 'query' }));
  rows.push(
    within(
      'words and meaning over 100,000, p50, compared with a query vector and a scan',
      percentile(both, 0.5),
      percentile(queries, 0.5) + percentile(scans, 0.5),
      2,
    ),
  );
  rows.push({ what: 'words and meaning over 100,000, p95', value: p95, unit: 'ms', bar: '< 60', isMet: p95 < 60 });
  await meaning.close();
  await index.close();
  await close();
  return rows;
}

export async function benchMeaning(): Promise<readonly Row[]> {
  const model = await benchModel();
  if (model === undefined)
    return [{ what: 'search by meaning: the optional package is not installed', value: 0, unit: '' }];
  try {
    return [
      ...model.rows,
      ...(await benchQuality(model.embedder)),
      ...(await benchScale(model.embedder)),
      ...(await benchBacklog()),
    ];
  } finally {
    await model.embedder.close();
  }
}
