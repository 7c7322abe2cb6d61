import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openMiniLm } from '#kernel/embed/minilm/open-minilm.ts';
import { bareInsert } from './bare-insert.ts';
import { callTool, initialize, initialized } from './messages.ts';
import { createPipeClient, type PipeClient } from './pipe-client.ts';
import { cpuMs, makeHome, probeFile, type Started, start } from './processes.ts';
import type { Row } from './table.ts';
import { below, check, spreadOf, times, timesWithBaseline, within } from './timing.ts';

const words =
  'invoice retry queue schema ledger payment refund export import cursor index shard token cache timeout deploy rollback alert draft review'.split(
    ' ',
  );
const wordAt = (n: number): string => words[n % words.length] ?? '';
const textOf = (n: number): string =>
  Array.from({ length: 24 }, (_, i) => (i % 6 === 0 ? `topic${(n * 31 + i) % 9_973}` : wordAt(n * 7 + i * 3))).join(
    ' ',
  );

const padOf = (n: number): string => `pad-${String(n).padStart(6, '0')}`;
const cellsEach = 10;

const call = (name: string, args: object): string => callTool(name, args, 'legacy')(1);

const createLine = (n: number): string =>
  call('scratch_create', {
    scratch_id: padOf(n),
    metadata: { title: `${wordAt(n)} ${n}`, namespace: `team-${n % 20}`, tags: [wordAt(n), `batch-${n % 50}`] },
    cells: Array.from({ length: cellsEach }, (_, i) => ({
      language: 'md',
      content: textOf(n * cellsEach + i),
      tags: [`kind-${i % 3}`],
    })),
  });

/** Pads in active use, spread over all pads. */
const atWorkCount = 500;
const readLine = (size: number) => (n: number) =>
  call('scratch_read', { scratch_id: padOf(((n % atWorkCount) * 7_919) % size) });
const coldReadLine = (size: number) => (n: number) =>
  call('scratch_read', { scratch_id: padOf(((n + atWorkCount) * 7_919) % size) });
const appendLine = (size: number) => (n: number) =>
  call('scratch_append_cell', { scratch_id: padOf((n * 7_919) % size), cell: { language: 'md', content: textOf(n) } });
const noopLine = () => call('probe_noop', {});
const listLine = () => call('scratch_list', { limit: 100 });
const listTagLine = (n: number) => call('scratch_list', { tags: [`batch-${n % 50}`], limit: 100 });
const listBothLine = (n: number) => call('scratch_list', { tags: [wordAt(n)], namespaces: [`team-${n % 20}`] });
const tagsLine = () => call('scratch_list_tags', {});
const searchLine = (n: number) => call('scratch_search', { query: `${wordAt(n)} topic${(n * 31) % 9_973}` });

interface Opened {
  readonly program: Started;
  readonly client: PipeClient;
  readonly firstMs: number;
}

async function open(env: Readonly<Record<string, string>>): Promise<Opened> {
  const startedAt = performance.now();
  const program = start(probeFile, [], { FOURFOLD_EMBEDDING_MODEL: 'debug', ...env, FOURFOLD_MAX_SCRATCHPADS: '0' });
  const client = createPipeClient(program.child);
  await client.ask(initialize);
  program.child.stdin.write(`${initialized}\n`);
  check(await client.ask(listLine()));
  return { program, client, firstMs: performance.now() - startedAt };
}

/** Many concurrent writes, because the store groups commits. */
export async function fillPads(client: PipeClient, count: number): Promise<void> {
  const atOnce = 100;
  for (let from = 0; from < count; from += atOnce) {
    const lines = Array.from({ length: Math.min(atOnce, count - from) }, (_, i) => createLine(from + i));
    for (const answer of await Promise.all(lines.map((line) => client.ask(line)))) check(answer);
  }
}

/** Waits until the background work that follows writes is done. */
export async function settle({ child }: Started): Promise<void> {
  for (let before = -1, now = cpuMs(child.pid ?? 0); now - before > 20; ) {
    await wait(1_000);
    before = now;
    now = cpuMs(child.pid ?? 0);
  }
}

interface PadTimes {
  readonly noop: number;
  readonly read: number;
  /** Pads that were not read recently. */
  readonly coldRead: number;
  readonly append: number;
  /** The no-op, and one row with the driver alone. */
  readonly appendBaseline: number;
}

async function measurePads(client: PipeClient, size: number): Promise<PadTimes> {
  await times(client, atWorkCount, readLine(size));
  const read = await timesWithBaseline(client, 2_500, readLine(size), noopLine);
  const coldRead = await timesWithBaseline(client, 1_000, coldReadLine(size), noopLine);
  const appends: number[] = [];
  const baselines: number[] = [];
  // Interleaved, because the speed of the disk and of pipes changes within seconds.
  for (let round = 0; round < 5; round += 1) {
    const { value, baseline } = await timesWithBaseline(client, 100, appendLine(size), noopLine);
    appends.push(value.p50);
    baselines.push(baseline.p50 + bareInsert(textOf).p50);
  }
  return {
    noop: read.baseline.p50,
    read: read.value.p50,
    coldRead: coldRead.value.p50,
    append: spreadOf(appends).p50,
    appendBaseline: spreadOf(baselines).p50,
  };
}

const samples = new URL('../tests/fixtures/cell-samples/', import.meta.url);

const repeat = (line: (i: number) => string): string =>
  Array.from({ length: Math.ceil(100_000 / line(0).length) }, (_, i) => line(i)).join('\n');

/** Samples that must not be repeated in one text, because they declare names. */
const generated: Readonly<Record<string, (i: number) => string>> = {
  toml: (i) => `key-${i} = "value ${i} of many"`,
  js: (i) => `export async function* step${i}({ a = ${i}, ...rest } = {}) { yield a ?? rest?.[${i}] ** 2; }`,
  jsx: (i) =>
    `export const Row${i} = ({ items }) => <ul key="${i}">{items.map((one) => <li {...one}>{one.name}</li>)}</ul>;`,
  ts: (i) => `export const step${i} = <T extends readonly unknown[]>(list: T): T[number] | undefined => list.at(${i});`,
  tsx: (i) => `export const Row${i} = ({ a }: { a: string }): JSX.Element => <p title={a}>{a satisfies string}</p>;`,
};

const between: Readonly<Record<string, string>> = { json: ',', yaml: '\n...\n', yml: '\n...\n' };

/** Repeats a valid sample up to a hundred kilobytes per language; JSON repeats it inside a list. */
function largeCell(file: string): { readonly language: string; readonly content: string } {
  const language = file.replace('.txt', '');
  const line = generated[language];
  if (line !== undefined) return { language, content: repeat(line) };
  const sample = readFileSync(new URL(file, samples), 'utf8');
  const all = Array<string>(Math.max(1, Math.floor(100_000 / sample.length)))
    .fill(sample)
    .join(between[language] ?? '\n');
  return { language, content: language === 'json' ? `[${all}]` : all };
}

async function measureChecks(client: PipeClient): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const file of readdirSync(samples).toSorted()) {
    const { language, content } = largeCell(file);
    const scratch_id = `check-${language}`;
    check(await client.ask(call('scratch_create', { scratch_id, cells: [{ language, content }] })));
    const line = () => call('scratch_validate', { scratch_id });
    if ((await client.ask(line())).includes('"valid":false')) throw new Error(`the sample of ${language} is invalid`);
    const { p95 } = await times(client, 20, line);
    rows.push(below(`notebooks validation of 100 KB of ${language}, p95`, p95, 'ms', 100));
  }
  return rows;
}

/** Schemas that run until the timeout, while others read. */
async function measureBombs({ program, client }: Opened): Promise<readonly Row[]> {
  const bomb = { type: 'string', pattern: '^(a+)+$' };
  const cell = { language: 'json', content: JSON.stringify(`${'a'.repeat(40)}!`), json_schema: bomb };
  check(await client.ask(call('scratch_create', { scratch_id: 'bomb', cells: [cell] })));
  for (let i = 0; i < 50; i += 1) {
    program.child.stdin.write(`${callTool('scratch_validate', { scratch_id: 'bomb' }, 'legacy')(10_000 + i)}\n`);
  }
  const found: number[] = [];
  const { stdin, stdout } = program.child;
  for (let n = 0; n < 300; n += 1) {
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      let rest = '';
      const onData = (chunk: string) => {
        rest += chunk;
        if (!rest.includes('"id":20000')) return;
        stdout.off('data', onData);
        resolve();
      };
      stdout.on('data', onData);
      stdin.write(`${callTool('scratch_read', { scratch_id: padOf(n) }, 'legacy')(20_000)}\n`);
    });
    found.push(performance.now() - startedAt);
  }
  return [below('notebooks read during 50 slow validations, p95', spreadOf(found).p95, 'ms', 20)];
}

/** Without a model, search uses keywords only and reports that. */
async function measureWords(env: Readonly<Record<string, string>>, count: number): Promise<Row> {
  const { program, client } = await open({ ...env, FOURFOLD_EMBEDDING_MODEL: 'absent' });
  const answer = check(await client.ask(searchLine(0)));
  if (!answer.includes('"mode":"words"')) throw new Error(`not by words alone: ${answer.slice(0, 300)}`);
  const { p95 } = await times(client, 200, searchLine);
  await program.stop();
  return below(`notebooks keyword search of ${count} cells, p95`, p95, 'ms', 20);
}

const paragraphOf = (n: number): string =>
  Array.from({ length: 100 }, (_, i) => wordAt(n * 7 + i * (3 + (n % 5)))).join(' ');

/** Texts per second and core of the model alone; undefined where it is not installed. */
async function modelRate(): Promise<number | undefined> {
  const embedder = await openMiniLm({ batchCount: 16 });
  if (embedder === undefined) return undefined;
  const { signal } = new AbortController();
  const embed = (from: number) =>
    embedder.embed(
      Array.from({ length: 64 }, (_, n) => paragraphOf(from + n)),
      { signal, purpose: 'document' },
    );
  await embed(0);
  const before = process.cpuUsage();
  await embed(100);
  const { user, system } = process.cpuUsage(before);
  await embedder.close();
  return (64 * 1e6) / (user + system);
}

/** How fast the background work embeds new texts, compared with the model alone. */
async function measureEmbedding(): Promise<readonly Row[]> {
  const alone = await modelRate();
  if (alone === undefined) return [];
  const { env, remove } = makeHome();
  const { program, client } = await open({ ...env, FOURFOLD_EMBEDDING_MODEL: 'minilm' });
  const padsCount = 40;
  const startedAt = performance.now();
  for (let n = 0; n < padsCount; n += 1) {
    const cells = Array.from({ length: cellsEach }, (_, i) => ({
      language: 'md',
      content: paragraphOf(n * cellsEach + i),
    }));
    check(await client.ask(call('scratch_create', { scratch_id: padOf(n), cells })));
  }
  const waits = async () =>
    check(await client.ask(call('scratch_search', { query: 'ledger', tags: ['no-such-tag'] }))).includes('"pending"');
  while (await waits()) await wait(250);
  const rate = (padsCount * cellsEach * 1_000) / (performance.now() - startedAt);
  await program.stop();
  remove();
  return [
    {
      what: 'notebooks embedded in the background',
      value: rate,
      unit: '/s',
      baseline: alone,
      ratio: rate / alone,
      bar: '>= 0.80',
      isMet: rate / alone >= 0.8,
    },
  ];
}

/** The same with many pads and with few, interleaved. */
async function measureGrowth(
  many: PipeClient,
  size: number,
  few: PipeClient,
  fewSize: number,
): Promise<readonly Row[]> {
  await times(few, atWorkCount, readLine(fewSize));
  const read = await timesWithBaseline(many, 2_500, readLine(size), readLine(fewSize), few);
  const append = await timesWithBaseline(many, 500, appendLine(size), appendLine(fewSize), few);
  return [
    within(`notebooks read, ${size} pads vs ${fewSize}`, read.value.p50, read.baseline.p50, 1.25),
    within(`notebooks append, ${size} pads vs ${fewSize}`, append.value.p50, append.baseline.p50, 1.25),
  ];
}

/** Appends alternate between a short pad and one that is a hundred times as long. */
async function measurePadGrowth(client: PipeClient): Promise<readonly Row[]> {
  const [shortCount, longCount] = [10, 1_000];
  // Appends make pads grow, so each pad takes only a few.
  const padsCount = 40;
  const idOf = (count: number, n: number) => `growth-${count}-${n % padsCount}`;
  for (const count of [shortCount, longCount]) {
    for (let n = 0; n < padsCount; n += 1) {
      const cells = Array.from({ length: count }, (_, i) => ({
        language: 'md',
        content: textOf(i),
        tags: [`t${i % 5}`],
      }));
      check(await client.ask(call('scratch_create', { scratch_id: idOf(count, n), cells })));
    }
  }
  const appendTo = (count: number) => (n: number) =>
    call('scratch_append_cell', {
      scratch_id: idOf(count, n),
      cell: { language: 'md', content: textOf(n), tags: [`t${n % 5}`] },
    });
  const { value, baseline } = await timesWithBaseline(client, 400, appendTo(longCount), appendTo(shortCount));
  return [within(`notebooks append, pad of ${longCount} cells vs ${shortCount}`, value.p50, baseline.p50, 1.25)];
}

export async function benchNotebooks(): Promise<readonly Row[]> {
  const small = makeHome();
  const large = makeHome();
  try {
    const emptyMs = await firstAnswer(makeHome());
    const [size, fewSize] = [10_000, 100];
    const few = await open(small.env);
    await fillPads(few.client, fewSize);
    await settle(few.program);
    const many = await open(large.env);
    await fillPads(many.client, size);
    await settle(many.program);
    const atMany = await measurePads(many.client, size);
    const growth = await measureGrowth(many.client, size, few.client, fewSize);
    const padGrowth = await measurePadGrowth(few.client);
    await few.program.stop();
    const lists = [
      ['list', listLine],
      ['list by tag', listTagLine],
      ['list by tag and namespace', listBothLine],
      ['list of tags', tagsLine],
    ] as const;
    const rows: Row[] = [
      within(`notebooks read of ${size} pads`, atMany.read, atMany.noop, 2),
      { what: 'notebooks read of pads not read lately', value: atMany.coldRead, unit: 'ms', baseline: atMany.noop },
      within(`notebooks append at ${size} pads`, atMany.append, atMany.appendBaseline, 2),
      ...growth,
      ...padGrowth,
    ];
    for (const [what, line] of lists) {
      rows.push(below(`notebooks ${what}, p95`, (await times(many.client, 200, line)).p95, 'ms', 10));
    }
    rows.push(
      below(
        `notebooks hybrid search of ${size * cellsEach} cells, p95`,
        (await times(many.client, 200, searchLine)).p95,
        'ms',
        60,
      ),
    );
    rows.push(...(await measureChecks(many.client)));
    rows.push(...(await measureBombs(many)));
    await many.program.stop();
    rows.push(...(await measureEmbedding()));
    rows.push(await measureWords(large.env, size * cellsEach));
    rows.push(within('notebooks start with 10000 pads vs none', await firstAnswer(large), emptyMs, 1.25));
    return rows;
  } finally {
    small.remove();
    large.remove();
  }
}

/** The best of a few starts. */
async function firstAnswer({ env }: Pick<ReturnType<typeof makeHome>, 'env'>): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const { program, firstMs } = await open(env);
    best = Math.min(best, firstMs);
    await program.stop();
  }
  return best;
}
