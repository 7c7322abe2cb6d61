import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { type Call, localTenant } from '#kernel/call.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { silentLog } from '#kernel/log/log.ts';
import type { SearchQuery } from '#kernel/search/answer-search.ts';
import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import { createLocalLeases } from '#kernel/search/leases.fixture.ts';
import { createSearchIndex, type SearchIndex } from '#kernel/search/search-index.ts';
import { sql } from '#kernel/storage/sql.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { kernelTables } from '#migrations/0001-kernel.ts';
import { searchTables } from '#migrations/0002-search.ts';

export interface SearchBenchRow {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The upper limit, if there is one. */
  readonly bar?: number;
}

const documentCount = 100_000;
const pages = defineCollection({ name: 'bench', fields: { title: 3, body: 1 }, title: 'title' });

/** Seeded: the same numbers in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Word frequencies as in natural text (Zipf); a fifth of the words have a second form with the same stem. */
function createWords(random: () => number): () => string {
  const letters = 'etaoinshrdlcumwfgypbvk';
  const vocabulary = Array.from({ length: 50_000 }, () => {
    const length = 3 + Math.floor(random() * 7);
    const word = Array.from({ length }, () => letters[Math.floor(random() ** 1.5 * letters.length)]).join('');
    return random() < 0.2 ? `${word}s` : word;
  });
  let sum = 0;
  const shares = vocabulary.map((_, i) => {
    sum += 1 / (i + 10);
    return sum;
  });
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = shares.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (shares[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return vocabulary[low]!;
  };
}

function* createDocuments(word: () => string): Generator<SearchDocument<'title' | 'body'>> {
  const text = (count: number) => Array.from({ length: count }, word).join(' ');
  for (let i = 0; i < documentCount; i += 1) {
    yield {
      id: `page-${i}`,
      fields: { title: text(5), body: text(55) },
      facets: { tag: [`t${i % 20}`], space: `s${i % 3}` },
    };
  }
}

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;

export async function benchSearch(): Promise<readonly SearchBenchRow[]> {
  const rows: SearchBenchRow[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-bench-search-'));
  const storage = openSqlite({
    file: join(folder, 'store.db'),
    migrations: [kernelTables, searchTables],
    clock: systemClock,
    log: silentLog,
    auditKey: Buffer.alloc(32),
  });
  const openIndex = () =>
    createSearchIndex({
      storage,
      leases: createLocalLeases(),
      clock: systemClock,
      ids: createIds(systemClock),
      log: silentLog,
    });
  const call: Call = {
    tenant: localTenant,
    actor: 'bench',
    scopes: new Set(),
    tool: 'bench',
    audit: 'none',
    signal: new AbortController().signal,
    deadlineAt: Number.MAX_SAFE_INTEGER,
    progress() {},
  };
  const word = createWords(createRandom(7));
  const words = (count: number) => Array.from({ length: count }, word).join(' ');

  async function timeQueries(
    index: SearchIndex,
    what: string,
    query: () => SearchQuery,
    bars: readonly [number?, number?],
  ): Promise<void> {
    const times: number[] = [];
    for (let i = 0; i < 700; i += 1) {
      const asked = query();
      const startedAt = performance.now();
      await index.search(call, pages, asked);
      if (i >= 200) times.push(performance.now() - startedAt);
    }
    const add = (name: string, value: number, bar: number | undefined) =>
      rows.push({ what: `${what}, ${name}`, value, unit: 'ms', ...(bar === undefined ? {} : { bar }) });
    add('p50', percentile(times, 0.5), bars[0]);
    add('p95', percentile(times, 0.95), bars[1]);
  }

  try {
    const writer = openIndex();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    let startedAt = performance.now();
    await writer.rebuild(call, pages, createDocuments(word));
    await writer.settle();
    await writer.maintain(localTenant, pages);
    rows.push({ what: 'index 100,000 documents and merge', value: (performance.now() - startedAt) / 1_000, unit: 's' });
    delay.disable();
    rows.push({ what: 'longest stall of the event loop meanwhile', value: delay.max / 1e6, unit: 'ms' });
    await writer.close();

    const index = openIndex();
    startedAt = performance.now();
    await index.search(call, pages, { text: words(5), limit: 10 });
    rows.push({
      what: 'open: first search of a new process',
      value: performance.now() - startedAt,
      unit: 'ms',
      bar: 300,
    });
    const kept = await storage.read(call, function* (db) {
      return yield* db.get(sql<{ n: number; bytes: number }>`
        select count(*) as n, sum(bytes) as bytes from search_segments where tenant = ${db.tenant} and state = 'live'`);
    });
    rows.push({ what: 'segments', value: kept?.n ?? 0, unit: '' });
    rows.push({ what: 'their size, in the store and in memory', value: (kept?.bytes ?? 0) / 2 ** 20, unit: 'MiB' });

    await timeQueries(index, 'five words, any of them', () => ({ text: words(5), limit: 10 }), [1, 3]);
    await timeQueries(index, 'one word', () => ({ text: words(1), limit: 10 }), []);
    await timeQueries(index, 'two words', () => ({ text: words(2), limit: 10 }), []);
    await timeQueries(index, 'five words, all of them', () => ({ text: words(5), limit: 10, match: 'all' }), []);
    await timeQueries(
      index,
      'five words, one tag',
      () => ({ text: words(5), limit: 10, filters: [{ key: 'tag', any: ['t3'] }] }),
      [],
    );
    await timeQueries(index, 'a phrase of two words', () => ({ text: `"${words(2)}"`, limit: 10 }), []);
    await timeQueries(index, 'a prefix of three letters', () => ({ text: `${word().slice(0, 3)}*`, limit: 10 }), []);

    await timeQueries(index, 'nothing found, similar words suggested', () => ({ text: `${word()}qxq`, limit: 10 }), []);

    const putCount = 200;
    const putTimes: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await storage.write(call, function* (db) {
        const from = performance.now();
        for (let i = 0; i < putCount; i += 1) {
          yield* index.put(db, pages, { id: `new-${round}-${i}`, fields: { title: words(5), body: words(55) } });
        }
        putTimes.push((performance.now() - from) / putCount);
      });
    }
    const madeAt = performance.now();
    for (let i = 0; i < 2_000; i += 1) words(60);
    const wordsMs = (performance.now() - madeAt) / 2_000;
    rows.push({
      what: 'put inside a transaction',
      value: (percentile(putTimes, 0.5) - wordsMs) * 1_000,
      unit: 'µs',
      bar: 50,
    });

    const afterWrite: number[] = [];
    for (let i = 0; i < 100; i += 1) {
      await storage.write(call, function* (db) {
        yield* index.put(db, pages, { id: `fresh-${i}`, fields: { title: words(5), body: words(55) } });
      });
      const from = performance.now();
      await index.search(call, pages, { text: words(5), limit: 10 });
      afterWrite.push(performance.now() - from);
    }
    rows.push({ what: 'five words right after a write, p50', value: percentile(afterWrite, 0.5), unit: 'ms' });
    await index.settle();
    await index.close();
    return rows;
  } finally {
    await storage.close();
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { what, value, unit, bar } of await benchSearch()) {
    const verdict = bar === undefined ? '' : value < bar ? `below ${bar}` : `ABOVE ${bar}`;
    process.stderr.write(`${what.padEnd(46)} ${value.toFixed(3).padStart(10)} ${unit.padEnd(4)} ${verdict}\n`);
  }
}
