import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bareInsert } from './bare-insert.ts';
import { fillFolder, ruleOf } from './instructions.ts';
import { callTool } from './messages.ts';
import { fillPads, settle } from './notebooks.ts';
import type { PipeClient } from './pipe-client.ts';
import { makeHome, type Started } from './processes.ts';
import type { Row } from './table.ts';
import { check, timesWithBaseline, within } from './timing.ts';
import { call, companiesCount, fill, noopLine, open } from './truth.ts';

/** How much of the full sizes to use: 10,000 rules, 100,000 cells, 1,000,000 observations, 100,000 sections of docs. */
const share = Number(process.env['FOURFOLD_BENCH_SHARE'] ?? 1);
const few = share / 10;

const cellsEach = 10;
const sectionsEach = 50;
/** Each page is a file, and a call reads one folder. */
const pageOf = (n: number): string =>
  Array.from({ length: sectionsEach }, (_, i) => {
    const topic = `topic${(n * 31 + i) % 9_973}`;
    return `## Cursor ${i} of ${topic}\n\nThe queue of ${topic} has a retry, a timeout and a rollback for payment ${n}.\n`;
  }).join('\n');

const taskOf = (n: number): string =>
  `refund the invoice of Vendor ${(n * 101) % companiesCount}, retry topic${(n * 31) % 9_973}`;
const recallLine = (n: number): string => call('recall', { task: taskOf(n) });
/** With another text than `recall` of the same number, because vectors of queries are cached. */
const searchLine = (n: number): string => call('scratch_search', { query: taskOf(n + 50_000) });
const rememberLine = (n: number): string => call('remember', { text: `the cable number ${n} is in room ${n % 50}` });

const searchesOfEach: Readonly<Record<string, object>> = {
  scratch_search: { query: 'retry' },
  search_docs: { query: 'retry timeout', library: 'queues' },
  retrieve_entities: { query: 'vendor' },
  instructions_search: { query: 'rule' },
};

/** Each memory says how many of its items wait to be embedded. Embedding would slow the calls that are measured. */
async function waitUntilEmbedded(client: PipeClient): Promise<void> {
  for (const [name, args] of Object.entries(searchesOfEach)) {
    for (let pending = 1; pending > 0; ) {
      await wait(250);
      const answer = JSON.parse(check(await client.ask(call(name, args)))) as {
        readonly result: { readonly content: readonly [{ readonly text: string }] };
      };
      pending = (JSON.parse(answer.result.content[0].text) as { readonly pending?: number }).pending ?? 0;
    }
  }
}

interface Filled {
  readonly program: Started;
  readonly client: PipeClient;
  stop(): Promise<void>;
}

async function openFilled(part: number): Promise<Filled> {
  const { home, env, remove } = makeHome();
  const folders = { rules: join(home, 'instructions'), docs: `${home}-docs` };
  fillFolder(folders.rules, Math.round(10_000 * part), ruleOf);
  mkdirSync(folders.docs);
  for (let n = 0; n < Math.max(1, Math.round((100_000 * part) / sectionsEach)); n += 1)
    writeFileSync(join(folders.docs, `page-${n}.md`), `# Page ${n}\n\n${pageOf(n)}`);
  await fill(home, env, Math.round(1_000_000 * part));
  const { program, client } = await open({
    ...env,
    FOURFOLD_MAX_SCRATCHPADS: '0',
    FOURFOLD_FILE_ROOTS: folders.docs,
  });
  await fillPads(client, Math.round((100_000 * part) / cellsEach));
  check(
    await client.ask(
      callTool('knowledge_ingest', { source: folders.docs, library: 'queues', version: '1.0.0' }, 'legacy')(1),
    ),
  );
  await waitUntilEmbedded(client);
  await settle(program);
  return {
    program,
    client,
    async stop() {
      await program.stop();
      remove();
      rmSync(folders.docs, { recursive: true });
    },
  };
}

/**
 * One call over all memories, compared with a search of one of them for a text of the same length, and with a tenth of the
 * data. With the model that ships, unless FOURFOLD_EMBEDDING_MODEL names another.
 */
export async function benchContext(): Promise<readonly Row[]> {
  const small = await openFilled(few);
  const large = await openFilled(share);
  const against = await timesWithBaseline(large.client, 300, recallLine, searchLine);
  const growth = await timesWithBaseline(large.client, 300, recallLine, recallLine, small.client);
  const kept = await timesWithBaseline(large.client, 300, rememberLine, noopLine);
  const inserted = bareInsert((n) => rememberLine(n));
  await small.stop();
  await large.stop();
  return [
    within(
      `context recall at ${share} of the full sizes vs one hybrid search, p50`,
      against.value.p50,
      against.baseline.p50,
      2.5,
    ),
    within(`context recall at ${share} of the full sizes vs ${few}, p50`, growth.value.p50, growth.baseline.p50, 1.25),
    within('context remember vs the no-op and a bare insert, p50', kept.value.p50, kept.baseline.p50 + inserted.p50, 4),
  ];
}
