import { setTimeout as wait } from 'node:timers/promises';
import { freshRecallTasks } from './judged/fresh-recall-tasks.ts';
import {
  type RecallMemory,
  type RecallTask,
  recallDocs,
  recallFacts,
  recallNotes,
  recallRules,
  recallTasks,
  uselessFor,
} from './judged/recall-tasks.ts';
import { callTool } from './messages.ts';
import type { PipeClient } from './pipe-client.ts';
import type { Row } from './table.ts';
import { check } from './timing.ts';

type Json = Readonly<Record<string, unknown>>;

async function ask<T = Json>(client: PipeClient, name: string, args: object): Promise<T> {
  const line = check(await client.ask(callTool(name, args, 'legacy')(1)));
  const { result } = JSON.parse(line) as {
    readonly result: { readonly content: readonly [{ readonly text: string }] };
  };
  return JSON.parse(result.content[0].text) as T;
}

interface Recalled {
  readonly rules?: readonly { readonly id: string; readonly body?: string }[];
  readonly facts?: readonly { readonly name: string }[];
  readonly notes?: readonly { readonly cell_id?: string }[];
  readonly docs?: readonly { readonly id: string }[];
  /** Titles of rules that are only named, by id. */
  readonly general?: Readonly<Record<string, string>>;
  readonly tokens: number;
}

const library = 'pedal-handbook';
const memories = { rule: 'rules', fact: 'facts', note: 'notes', doc: 'docs' } as const;

/** The first moment at which semantic search covers everything. */
async function untilEmbedded(client: PipeClient): Promise<void> {
  for (;;) {
    const { pending } = await ask<{ pending?: number }>(client, 'scratch_search', { query: 'bike' });
    const { pending: pendingDocs } = await ask<{ pending?: number }>(client, 'search_docs', { query: 'bike', library });
    const { pending: pendingFacts } = await ask<{ pending?: number }>(client, 'retrieve_entities', {
      // With every word in a name, only this mode uses meaning.
      ...{ query: 'bike', mode: 'meaning' },
    });
    const { hints } = await ask<{ hints?: readonly string[] }>(client, 'instructions/search', {
      q: 'bike',
      mode: 'hybrid',
    });
    const isWaiting = hints?.some((hint) => hint.includes('embedded')) === true;
    if (!isWaiting && [pending, pendingDocs, pendingFacts].every((count) => count === undefined)) return;
    await wait(500);
  }
}

async function store(client: PipeClient): Promise<void> {
  for (const { areas, ...rule } of recallRules) {
    const entry = { ...rule, priority: 50, audience: 'all', owner: 'team', categories: [...areas] };
    const { created } = await ask(client, 'instructions/add', { entry });
    if (created !== true) throw new Error(`the rule ${rule.id} was not stored`);
  }
  for (const [pad, notes] of Map.groupBy(recallNotes, (note) => note.pad)) {
    const cells = notes.map(({ id, text }) => ({ cell_id: id, language: 'md', content: text }));
    await ask(client, 'scratch_create', { scratch_id: pad, metadata: { title: pad, namespace: 'pedal' }, cells });
  }
  for (const { type, name, fields } of recallFacts)
    await ask(client, 'store_fact', { subject: { type, name }, fields });
  const pages = recallDocs.map(({ path, content }) => ({ path, content }));
  await ask(client, 'knowledge_ingest', { library, version: '1', pages });
  await untilEmbedded(client);
}

const factIds = new Map(recallFacts.map(({ id, name }) => [name, id]));

/** The names of the items of an answer, by memory. */
function namesOf({
  rules = [],
  facts = [],
  notes = [],
  docs = [],
  general = {},
}: Recalled): Readonly<Record<RecallMemory, readonly string[]>> {
  return {
    rule: [...rules.map(({ id }) => id), ...Object.keys(general)].map((id) => `rule:${id}`),
    fact: facts.map(({ name }) => `fact:${factIds.get(name) ?? name}`),
    note: notes.map(({ cell_id }) => `note:${cell_id ?? ''}`),
    // `pedal-handbook@1/deploying.md#…`; sections of one page are one item.
    doc: [...new Set(docs.map(({ id }) => `doc:${/\/([\w-]+)\.md/.exec(id)?.[1] ?? id}`))],
  };
}

interface Tally {
  wanted: number;
  found: number;
  shown: number;
  useless: number;
  tokens: number;
}

const emptyTally = (): Tally => ({ wanted: 0, found: 0, shown: 0, useless: 0, tokens: 0 });

function add(tally: Tally, memory: RecallMemory, judged: RecallTask, answer: Recalled): void {
  const shown = namesOf(answer)[memory];
  const wanted = judged.wanted.filter((name) => name.startsWith(`${memory}:`));
  const useless = uselessFor(judged);
  tally.wanted += wanted.length;
  tally.found += wanted.filter((name) => shown.includes(name)).length;
  tally.shown += shown.length;
  tally.useless += shown.filter((name) => useless.has(name)).length;
  const chars = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length);
  const named = memory === 'rule' ? chars(answer.general) : 0;
  tally.tokens += (answer.tokens * (chars(answer[memories[memory]]) + named)) / chars(answer);
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);

const toRows = (what: string, tally: Tally, tasksCount: number): readonly Row[] => [
  { what: `${what}: wanted items found`, value: percent(tally.found, tally.wanted), unit: '%' },
  { what: `${what}: useless items among those shown`, value: percent(tally.useless, tally.shown), unit: '%' },
  { what: `${what}: tokens, mean`, value: tally.tokens / tasksCount, unit: '' },
];

async function measure(client: PipeClient, set: string, tasks: readonly RecallTask[]): Promise<readonly Row[]> {
  const tallies: Record<RecallMemory, Tally> = {
    ...{ rule: emptyTally(), fact: emptyTally(), note: emptyTally(), doc: emptyTally() },
  };
  let tokens = 0;
  for (const judged of tasks) {
    const { task, files } = judged;
    const answer = await ask<Recalled>(client, 'recall', { task, ...(files && { files }) });
    for (const memory of Object.keys(tallies) as RecallMemory[]) add(tallies[memory], memory, judged, answer);
    tokens += answer.tokens;
    if (process.env['FOURFOLD_BENCH_DETAILS'] !== undefined) {
      const names = Object.values(namesOf(answer)).flat();
      const missing = judged.wanted.filter((name) => !names.includes(name));
      const useless = names.filter((name) => uselessFor(judged).has(name));
      process.stderr.write(
        `${JSON.stringify({ task, tokens: answer.tokens, shown: names.length, missing, useless })}\n`,
      );
    }
  }
  const rows = (Object.entries(tallies) as [RecallMemory, Tally][]).flatMap(([memory, tally]) =>
    toRows(`recall, ${set}, ${memories[memory]}`, tally, tasks.length),
  );
  return [...rows, { what: `recall, ${set}, whole answers: tokens, mean`, value: tokens / tasks.length, unit: '' }];
}

/**
 * Quality of recall over a store with many general rules: per memory what is found of what a task needs, and how much of
 * the answer is useless for it. The tokens of a memory are its part of the answer. The thresholds were chosen with the
 * tasks of even numbers; the words of the files were added after a look at what those of odd numbers missed.
 */
export async function benchRecallTasks(client: PipeClient): Promise<readonly Row[]> {
  await store(client);
  const everySecond = (rest: 0 | 1) => recallTasks.filter((_, i) => i % 2 === rest);
  return [
    ...(await measure(client, 'tasks used for choosing', everySecond(0))),
    ...(await measure(client, 'the other half', everySecond(1))),
    ...(await measure(client, 'fresh tasks', freshRecallTasks)),
  ];
}
