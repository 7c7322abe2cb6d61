import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type JudgedQuestion, v4Questions, v5Questions } from './judged/feathers-questions.ts';
import { freshV4, freshV5 } from './judged/fresh-questions.ts';
import { heldOutV4, heldOutV5 } from './judged/held-out-questions.ts';
import { type Judged, measure } from './judged/measures.ts';
import { outsideFeathersQuestions, outsidePackageQuestions } from './judged/outside-questions.ts';
import { type PackageQuestion, packageQuestions } from './judged/package-docs-questions.ts';
import { createPlainBm25, type PlainDocument } from './judged/plain-bm25.ts';
import { heldOutFeathersQuestions, heldOutPackageQuestions } from './judged/second-questions.ts';
import { type ToolRequest, toolRequests } from './judged/tool-requests.ts';
import { unseenToolRequests } from './judged/unseen-tool-requests.ts';
import { callTool, initialize, initialized } from './messages.ts';
import { createPipeClient, type PipeClient } from './pipe-client.ts';
import { distFolder, makeHome, probeFile, runProgram, type Started, start } from './processes.ts';
import type { Row } from './table.ts';
import { below, check, times, timesWithBaseline, within } from './timing.ts';

const call = (name: string, args: object): string => callTool(name, args, 'legacy')(1);
const noopLine = () => call('probe_noop', {});

const questions: readonly JudgedQuestion[] = [...v5Questions, ...v4Questions];
/** Written before their author had read the base; questions that it could not answer are among the others. */
const heldOut: readonly JudgedQuestion[] = [...heldOutV5, ...heldOutV4];
const fresh: readonly JudgedQuestion[] = [...freshV5, ...freshV4];

/** Repeats the same questions, as many agents do. */
function questionLine(n: number): string {
  const { asks, version } = questions[n % questions.length]!;
  return call('search_docs', { query: asks, version, mode: 'words' });
}

/** Pairs of questions: they warm up the program without using any real question. */
function warmingLine(n: number): string {
  const one = questions[n % questions.length]!;
  const other = questions[(n * 7 + Math.floor(n / questions.length)) % questions.length]!;
  return call('search_docs', {
    query: `${one.asks} ${other.asks.split(' ')[0]} ${n}`,
    version: one.version,
    mode: 'words',
  });
}

/** Each question once, in a program that has not answered it yet. */
async function measureNewQuestions(env: Readonly<Record<string, string>>): Promise<Row> {
  const { program, client } = await open(env);
  await times(client, 2_000, warmingLine);
  const all = [...questions, ...heldOut, ...fresh];
  const line = (n: number): string =>
    call('search_docs', { query: all[n]!.asks, version: all[n]!.version, mode: 'words' });
  const { value, baseline } = await timesWithBaseline(client, Math.floor(all.length / 1.25), line, noopLine);
  await program.stop();
  return within('knowledge search of the shipped base, never asked before, p50', value.p50, baseline.p50, 6);
}

async function open(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly program: Started; readonly client: PipeClient }> {
  const program = start(probeFile, [], env);
  const client = createPipeClient(program.child);
  await client.ask(initialize);
  program.child.stdin.write(`${initialized}\n`);
  return { program, client };
}

interface Hit {
  readonly title: string;
}

type Mode = 'words' | 'meaning' | 'hybrid';

async function titlesFor(
  client: PipeClient,
  { asks, version, mode }: Pick<JudgedQuestion, 'asks'> & { readonly version?: string; readonly mode?: Mode },
): Promise<readonly string[]> {
  const answer = JSON.parse(check(await client.ask(call('search_docs', { query: asks, version, mode })))) as {
    readonly result: { readonly content: readonly [{ readonly text: string }] };
  };
  const payload = JSON.parse(answer.result.content[0].text) as { readonly results: readonly Hit[] };
  return payload.results.map(({ title }) => title);
}

interface BaseEntry extends Hit {
  readonly version: string;
}

const baseFolder = join(distFolder, 'knowledge-base');
const projectFolder = join(distFolder, '..');

/** All entries of a version from the shipped files, with all their texts. */
function plainDocuments(version: string): readonly PlainDocument[] {
  return ['docs', 'snippets', 'patterns', 'best-practices'].flatMap((category) =>
    readdirSync(join(baseFolder, category), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) => JSON.parse(readFileSync(join(baseFolder, category, file), 'utf8')) as readonly BaseEntry[])
      .filter((entry) => entry.version === version || entry.version === 'both')
      .map((entry) => ({ title: entry.title, text: Object.values(entry).flat().join(' ') })),
  );
}

async function measureQuality(
  client: PipeClient,
  which: string,
  asked: readonly JudgedQuestion[],
): Promise<readonly Row[]> {
  const plain = { v4: createPlainBm25(plainDocuments('v4')), v5: createPlainBm25(plainDocuments('v5')) };
  const ours: Judged[] = [];
  const theirs: Judged[] = [];
  for (const question of asked) {
    ours.push({ right: question.right, found: await titlesFor(client, question) });
    theirs.push({ right: question.right, found: plain[question.version](question.asks, 10) });
  }
  for (const [i, { right, found }] of ours.entries()) {
    if (!found.slice(0, 5).some((title) => right.includes(title)))
      process.stderr.write(`not in the first five: ${asked[i]!.asks} -> ${found.slice(0, 3).join(' | ')}\n`);
  }
  const found = measure(ours);
  const baseline = measure(theirs);
  return [
    {
      what: `knowledge recall@5 of ${asked.length} ${which}, compared with plain BM25`,
      value: found.recall5,
      unit: '',
      baseline: baseline.recall5,
      bar: '>= 0.90',
      isMet: found.recall5 >= 0.9,
    },
    {
      what: `knowledge nDCG@10 of ${which}, compared with plain BM25`,
      value: found.ndcg10,
      unit: '',
      baseline: baseline.ndcg10,
    },
  ];
}

async function answerOf<T>(client: PipeClient, name: string, args: object): Promise<T> {
  const line = check(await client.ask(call(name, args)));
  const answer = JSON.parse(line) as { readonly result: { readonly content: readonly [{ readonly text: string }] } };
  return JSON.parse(answer.result.content[0].text) as T;
}

/** How many first hits are right, and how many of the first three contain a right one. */
function countRight(judged: readonly Judged[]) {
  const within3 = judged.filter(({ right, found }) => found.slice(0, 3).some((one) => right.includes(one)));
  return { first: judged.filter(({ right, found }) => right.includes(found[0] ?? '')).length, three: within3.length };
}

interface PackageHit extends Hit {
  readonly source: { readonly path: string };
}

interface PackageAnswer {
  readonly results: readonly PackageHit[];
  readonly pending?: number;
}

const packageSets: readonly { readonly name: string; readonly asked: readonly PackageQuestion[] }[] = [
  { name: 'questions', asked: packageQuestions },
  { name: 'questions from outside', asked: outsidePackageQuestions },
  { name: 'held-out questions', asked: heldOutPackageQuestions },
];

/** The docs of packages that this program depends on: by words alone, and when they are embedded. */
async function measurePackages(env: Readonly<Record<string, string>>): Promise<readonly Row[]> {
  const { program, client } = await open({ ...env, FOURFOLD_FILE_ROOTS: projectFolder });
  const ask = (query: string, library: string, mode: Mode) =>
    answerOf<PackageAnswer>(client, 'search_docs', { query, library, mode, max_tokens: 0 });
  const libraries = [...new Set(packageQuestions.map((question) => question.library))];
  for (const library of libraries) await answerOf(client, 'knowledge_ingest', { source: `npm:${library}` });
  async function judge(asked: readonly PackageQuestion[], mode: Mode): Promise<readonly Judged[]> {
    const judged: Judged[] = [];
    for (const { library, asks, right } of asked) {
      const { results } = await ask(asks, library, mode);
      judged.push({ right, found: results.map(({ source, title }) => `${source.path}#${title.replaceAll('`', '')}`) });
    }
    return judged;
  }
  const byWords = [];
  for (const { asked } of packageSets) byWords.push(await judge(asked, 'words'));
  while ((await ask('when it is embedded', libraries[0]!, 'hybrid')).pending !== undefined) await wait(1_000);
  const rows: Row[] = [];
  for (const [i, { name, asked }] of packageSets.entries()) {
    const judged = { words: byWords[i]!, meaning: await judge(asked, 'meaning'), hybrid: await judge(asked, 'hybrid') };
    const words = countRight(judged.words);
    const { first, three } = countRight(judged.hybrid);
    const what = (hits: string) => `knowledge ${hits} of ${asked.length} ${name} on package docs`;
    rows.push(
      { what: `${what('first hits')}, by words`, value: words.first, unit: '' },
      { what: `${what('first hits')}, by meaning`, value: countRight(judged.meaning).first, unit: '' },
      {
        ...{ what: what('first hits'), value: first, unit: '', baseline: words.first },
        ...(asked === packageQuestions && { bar: '>= 16', isMet: first >= 16 }),
      },
      { what: what('first three hits'), value: three, unit: '', baseline: words.three },
      ...toNdcgRows(what('nDCG@10'), judged),
    );
  }
  await program.stop();
  return rows;
}

/** The ranking of both must not be worse than that of words alone. In percent, so that the table shows small differences. */
function toNdcgRows(what: string, judged: Readonly<Record<Mode, readonly Judged[]>>): readonly Row[] {
  const percent = (mode: Mode) => 100 * measure(judged[mode]).ndcg10;
  const [words, hybrid] = [percent('words'), percent('hybrid')];
  return [
    { what: `${what}, by words`, value: words, unit: '%' },
    { what: `${what}, by meaning`, value: percent('meaning'), unit: '%' },
    {
      what: `${what}, hybrid`,
      value: hybrid,
      unit: '%',
      baseline: words,
      bar: '>= words',
      isMet: hybrid >= words - 1e-9,
    },
  ];
}

/** Questions that say which version they mean, or none: asked without `version`. */
async function measureUnversioned(
  client: PipeClient,
  which: string,
  asked: readonly JudgedQuestion[],
): Promise<readonly Row[]> {
  async function count(mode: Mode) {
    const judged: Judged[] = [];
    for (const { asks, right } of asked) judged.push({ right, found: await titlesFor(client, { asks, mode }) });
    return countRight(judged);
  }
  const words = await count('words');
  const meaning = await count('meaning');
  const { first, three } = await count('hybrid');
  const what = (hits: string) => `knowledge ${hits} of ${asked.length} ${which} on Feathers, without version`;
  return [
    { what: `${what('first hits')}, by words`, value: words.first, unit: '' },
    { what: `${what('first hits')}, by meaning`, value: meaning.first, unit: '' },
    { what: what('first hits'), value: first, unit: '', baseline: words.first },
    { what: what('first three hits'), value: three, unit: '', baseline: words.three },
  ];
}

async function judgeRequests(
  client: PipeClient,
  requests: readonly ToolRequest[],
  canonical: ReadonlyMap<string, string>,
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const { asks, right } of requests) {
    const { tools } = await answerOf<{ tools: readonly { readonly name: string }[] }>(client, 'tools_find', {
      query: asks,
    });
    judged.push({ right, found: tools.map(({ name }) => canonical.get(name) ?? name) });
  }
  return judged;
}

async function measureToolRequests(client: PipeClient): Promise<readonly Row[]> {
  const { mcp } = await answerOf<{ mcp: { tools: readonly { readonly name: string }[] } }>(client, 'meta/tools', {});
  const canonical = new Map(
    mcp.tools.map(({ name }) => [
      name.replaceAll('/', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      name,
    ]),
  );
  const judged = await judgeRequests(client, toolRequests, canonical);
  const unseen = await judgeRequests(client, unseenToolRequests, canonical);
  const { first, three } = countRight(judged);
  const share = three / judged.length;
  return [
    {
      what: `tools_find first three of ${judged.length} requests`,
      value: share,
      unit: '',
      bar: '>= 0.90',
      isMet: share >= 0.9,
    },
    { what: `tools_find first of ${judged.length} requests`, value: first / judged.length, unit: '' },
    ...(['three', 'first'] as const).map((rank) => ({
      what: `tools_find ${rank === 'three' ? 'first three' : 'first'} of ${unseen.length} requests that it was not made for`,
      value: countRight(unseen)[rank] / unseen.length,
      unit: '',
    })),
  ];
}

const topics =
  'router cache session worker queue schema token cursor index batch stream socket template plugin adapter handler'.split(
    ' ',
  );
const topicAt = (n: number): string => topics[n % topics.length] ?? '';

const pagesCount = 10_000;
/** Of the version that follows it. */
const nextPagesCount = 2_000;
const sectionsEach = 10;

function pageText(n: number): string {
  const sections = Array.from({ length: sectionsEach }, (_, i) => {
    const words = Array.from({ length: 50 }, (_each, k) =>
      k % 5 === 0 ? `term${(n * 31 + i * 17 + k) % 20_011}` : topicAt(n * 3 + i * 5 + k * 7),
    ).join(' ');
    return `## ${topicAt(n + i)} ${topicAt(n * 7 + i)} ${n}-${i}\n\n${words}\n\n\`\`\`ts\n${topicAt(i)}.use(${topicAt(n)}Options${i})\n\`\`\`\n`;
  });
  return `# ${topicAt(n)} page ${n}\n\n${sections.join('\n')}`;
}

function writePages(folder: string, count = pagesCount): void {
  for (let n = 0; n < count; n += 1) {
    const file = join(folder, `part-${n % 50}`, `page-${n}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, pageText(n));
  }
}

const libraryLine = (n: number): string =>
  call('search_docs', { query: `${topicAt(n)} ${topicAt(n * 3)} term${(n * 7_919) % 20_011}`, library: 'bench' });

async function ingestRate(env: Readonly<Record<string, string>>, folder: string, version: string, count: number) {
  const startedAt = performance.now();
  await runProgram(['knowledge', 'add', folder, '--library', 'bench', '--version', version], env);
  return (count * 1_000) / (performance.now() - startedAt);
}

async function measureLibrary(env: Readonly<Record<string, string>>, folder: string): Promise<readonly Row[]> {
  const [all, some] = [join(folder, 'all'), join(folder, 'some')];
  writePages(all);
  writePages(some, nextPagesCount);
  const rate = await ingestRate(env, all, '1.0.0', pagesCount);
  // The first run completes background merges; the second measures a new process.
  const first = await open(env);
  check(await first.client.ask(libraryLine(0)));
  await times(first.client, 100, libraryLine);
  await first.program.stop();
  const { program, client } = await open(env);
  // The code is already loaded: this measures only opening the index.
  check(await client.ask(call('knowledge_list', {})));
  const openedAt = performance.now();
  check(await client.ask(libraryLine(1)));
  const openMs = performance.now() - openedAt;
  const { p95 } = await times(client, 400, libraryLine);
  await program.stop();
  // The same measurement twice: existing data must not slow it down.
  const empty = makeHome();
  const alone = await ingestRate(empty.env, some, '2.0.0', nextPagesCount).finally(empty.remove);
  const beside = await ingestRate(env, some, '2.0.0', nextPagesCount);
  return [
    {
      what: 'knowledge ingest by one process',
      value: rate,
      unit: 'pages/s',
      bar: '>= 300',
      isMet: rate >= 300,
    },
    below(`knowledge opening an index of ${pagesCount * sectionsEach} sections`, openMs, 'ms', 300),
    below(`knowledge search of ${pagesCount * sectionsEach} sections, p95`, p95, 'ms', 15),
    {
      what: `knowledge ingest into a store of ${pagesCount} pages, compared with an empty store`,
      value: beside,
      unit: 'pages/s',
      baseline: alone,
      ratio: beside / alone,
    },
  ];
}

export async function benchKnowledge(): Promise<readonly Row[]> {
  const { env, remove } = makeHome();
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-bench-docs-'));
  try {
    const { program, client } = await open(env);
    const shipped = await timesWithBaseline(client, 1_000, questionLine, noopLine);
    const quality = [
      ...(await measureQuality(client, 'judged questions', questions)),
      ...(await measureQuality(client, 'held-out questions', heldOut)),
      ...(await measureQuality(client, 'second held-out questions', fresh)),
      ...(await measureUnversioned(client, 'questions from outside', outsideFeathersQuestions)),
      ...(await measureUnversioned(client, 'held-out questions', heldOutFeathersQuestions)),
      ...(await measureToolRequests(client)),
    ];
    await program.stop();
    return [
      within('knowledge search of the shipped base, asked before, p50', shipped.value.p50, shipped.baseline.p50, 6),
      await measureNewQuestions(env),
      ...quality,
      ...(await measurePackages(env)),
      ...(await measureLibrary(env, folder)),
    ];
  } finally {
    remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
