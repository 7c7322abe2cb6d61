import { setTimeout as wait } from 'node:timers/promises';
import { type Conversation, readConversations, turnsOf } from './judged/dialogue.ts';
import { v4Questions, v5Questions } from './judged/feathers-questions.ts';
import { freshV4, freshV5 } from './judged/fresh-questions.ts';
import { heldOutV4, heldOutV5 } from './judged/held-out-questions.ts';
import type { LineQuestion } from './judged/judged-lines.ts';
import { type Judged, measure, recallAt } from './judged/measures.ts';
import { germanNotes, germanQuestions, japaneseNotes, japaneseQuestions, type Note } from './judged/other-languages.ts';
import { createPlainBm25 } from './judged/plain-bm25.ts';
import { ruleQuestions, shortRules } from './judged/rule-questions.ts';
import { callTool, initialize, initialized } from './messages.ts';
import { createPipeClient, type PipeClient } from './pipe-client.ts';
import { makeHome, probeFile, start } from './processes.ts';
import { benchRecallTasks } from './recall-quality.ts';
import type { Row } from './table.ts';
import { check } from './timing.ts';

const modes = ['words', 'meaning', 'hybrid'] as const;
type Mode = (typeof modes)[number];

async function ask(client: PipeClient, name: string, args: object): Promise<Readonly<Record<string, unknown>>> {
  const line = check(await client.ask(callTool(name, args, 'legacy')(1)));
  const { result } = JSON.parse(line) as {
    readonly result: { readonly content: readonly [{ readonly text: string }] };
  };
  return JSON.parse(result.content[0].text) as Readonly<Record<string, unknown>>;
}

/** One answer per question and mode. */
async function judge<Q extends { readonly asks: string; readonly right: readonly string[] }>(
  questions: readonly Q[],
  find: (question: Q, mode: Mode) => Promise<readonly string[]>,
): Promise<Readonly<Record<Mode, readonly Judged[]>>> {
  const judged: Record<Mode, Judged[]> = { words: [], meaning: [], hybrid: [] };
  for (const question of questions) {
    for (const mode of modes) judged[mode].push({ right: question.right, found: await find(question, mode) });
  }
  return judged;
}

/** Words, meaning and hybrid, each compared with words. */
function toRows(set: string, judged: Readonly<Record<Mode, readonly Judged[]>>, gainMin = 0): readonly Row[] {
  const words = measure(judged.words).ndcg10;
  return modes.map((mode): Row => {
    const { ndcg10 } = measure(judged[mode]);
    const row = { what: `${set}, nDCG@10, ${mode}`, value: ndcg10, unit: '' };
    if (mode !== 'hybrid') return row;
    const least = words + gainMin;
    return { ...row, baseline: words, bar: `>= ${least.toFixed(3)}`, isMet: ndcg10 >= least - 1e-9 };
  });
}

const everySecond = (judged: readonly Judged[], rest: 0 | 1): readonly Judged[] =>
  judged.filter((_, i) => i % 2 === rest);

/** The weights were chosen with the questions of even numbers; those of odd numbers are reported. */
function toDialogueRows(judged: Readonly<Record<Mode, readonly Judged[]>>, plain: readonly Judged[]): readonly Row[] {
  const recall = (all: readonly Judged[]) => 100 * recallAt(everySecond(all, 1), 10);
  const [baseline, words, hybrid] = [recall(plain), recall(judged.words), recall(judged.hybrid)];
  const what = (mode: string) => `dialogue, recall@10 of the questions not used for tuning, ${mode}`;
  return [
    { what: what('plain BM25 over single cells'), value: baseline, unit: '%' },
    { what: what('words'), value: words, unit: '%' },
    { what: what('meaning'), value: recall(judged.meaning), unit: '%' },
    { what: what('hybrid'), value: hybrid, unit: '%', baseline: words, bar: '>= words', isMet: hybrid >= words },
    {
      what: what('hybrid, compared with plain BM25'),
      ...{ value: hybrid, unit: '%', baseline, bar: '>= +12', isMet: hybrid >= baseline + 12 },
    },
  ];
}

interface FoundCells {
  readonly hits: readonly { readonly scratch_id: string; readonly cell_id: string | null }[];
  readonly pending?: number;
}

const findCells =
  (client: PipeClient, namespace: string, toId: (scratchId: string, cellId: string) => string) =>
  async ({ asks }: LineQuestion, mode: Mode): Promise<readonly string[]> => {
    // One more: a pad is not an answer.
    const args = { query: asks, namespaces: [namespace], mode, limit: 20 };
    const { hits } = (await ask(client, 'scratch_search', args)) as unknown as FoundCells;
    return hits
      .flatMap(({ scratch_id, cell_id }) => (cell_id === null ? [] : [toId(scratch_id, cell_id)]))
      .slice(0, 10);
  };

/** Each conversation is a namespace, and each session a pad. */
async function storeConversation(client: PipeClient, { name, sessions }: Conversation): Promise<void> {
  for (const [i, { date, title, turns }] of sessions.entries()) {
    await ask(client, 'scratch_create', {
      scratch_id: `${name}-${i + 1}`,
      metadata: { title, date, namespace: name },
      cells: turns.map(({ speaker, text }, turn) => ({
        ...{ cell_id: `${turn + 1}`, language: 'txt', content: `${speaker}: ${text}` },
      })),
    });
  }
}

async function untilEmbedded(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await wait(500);
}

const merge = (
  all: readonly Readonly<Record<Mode, readonly Judged[]>>[],
): Readonly<Record<Mode, readonly Judged[]>> => ({
  words: all.flatMap(({ words }) => words),
  meaning: all.flatMap(({ meaning }) => meaning),
  hybrid: all.flatMap(({ hybrid }) => hybrid),
});

/** How many questions `recall` answers in one call: a right turn is in its notes. */
async function measureRecall(client: PipeClient, conversations: readonly Conversation[]): Promise<readonly Row[]> {
  let questionsCount = 0;
  let answeredCount = 0;
  let tokens = 0;
  for (const conversation of conversations) {
    const textOf = new Map(turnsOf(conversation).map(({ id, text }) => [id, JSON.stringify(text).slice(1, -1)]));
    for (const { asks, right } of conversation.questions) {
      const answer = await ask(client, 'recall', { task: asks, namespace: conversation.name });
      const notes = JSON.stringify(answer['notes'] ?? []);
      questionsCount += 1;
      tokens += Number(answer['tokens']);
      if (right.some((id) => notes.includes(textOf.get(id)!))) answeredCount += 1;
    }
  }
  return [
    { what: 'dialogue, questions that recall answers', value: (100 * answeredCount) / questionsCount, unit: '%' },
    { what: 'dialogue, tokens of recall, mean', value: tokens / questionsCount, unit: '' },
  ];
}

async function benchDialogue(client: PipeClient): Promise<readonly Row[]> {
  const conversations = readConversations();
  for (const conversation of conversations) await storeConversation(client, conversation);
  await untilEmbedded(async () => {
    const { pending } = (await ask(client, 'scratch_search', { query: 'city' })) as unknown as FoundCells;
    return pending === undefined;
  });
  const judged = [];
  const plain: Judged[] = [];
  for (const conversation of conversations) {
    const { name, questions } = conversation;
    const toId = (scratchId: string, cellId: string) => `${name}/${scratchId.slice(name.length + 1)}/${cellId}`;
    judged.push(await judge(questions, findCells(client, name, toId)));
    const find = createPlainBm25(
      turnsOf(conversation).map(({ id, text }) => ({ title: id, text })),
      { hasTitle: false },
    );
    for (const { asks, right } of questions) plain.push({ right, found: find(asks, 10) });
  }
  return [...toDialogueRows(merge(judged), plain), ...(await measureRecall(client, conversations))];
}

async function benchNotes(client: PipeClient, set: string, notes: readonly Note[], questions: readonly LineQuestion[]) {
  const cells = notes.map(({ id, text }) => ({ cell_id: id, language: 'txt', content: text }));
  await ask(client, 'scratch_create', { scratch_id: set, metadata: { namespace: set }, cells });
  await untilEmbedded(async () => {
    const { pending } = (await ask(client, 'scratch_search', { query: 'city' })) as unknown as FoundCells;
    return pending === undefined;
  });
  return toRows(
    set,
    await judge(
      questions,
      findCells(client, set, (_scratchId, cellId) => cellId),
    ),
  );
}

const instructionModes = { words: 'keyword', meaning: 'semantic', hybrid: 'hybrid' } as const;

interface FoundRules {
  readonly items: readonly { readonly id: string }[];
  readonly hints?: readonly string[];
}

async function benchRules(client: PipeClient): Promise<readonly Row[]> {
  for (const { id, title, body } of shortRules) {
    const entry = { id, title, body, priority: 50, audience: 'all', requirement: 'recommended', categories: ['team'] };
    await ask(client, 'instructions/add', { entry });
  }
  const find = async (q: string, mode: Mode) =>
    (await ask(client, 'instructions/search', { q, mode: instructionModes[mode], limit: 10 })) as unknown as FoundRules;
  await untilEmbedded(async () => {
    const { hints = [] } = await find('deploy before a holiday', 'hybrid');
    return !hints.some((hint) => hint.includes('embedded'));
  });
  const judged = await judge(ruleQuestions, async ({ asks }, mode) =>
    (await find(asks, mode)).items.map(({ id }) => id),
  );
  return toRows('rules', judged);
}

interface FoundDocs {
  readonly results: readonly { readonly title: string }[];
}

async function benchDocs(client: PipeClient): Promise<readonly Row[]> {
  const sets = [
    ['docs', [...v5Questions, ...v4Questions]],
    ['docs, held out', [...heldOutV5, ...heldOutV4]],
    ['docs, second held out', [...freshV5, ...freshV4]],
  ] as const;
  const rows: Row[] = [];
  for (const [set, questions] of sets) {
    const judged = await judge(questions, async ({ asks, version }, mode) => {
      const args = { query: asks, version, mode, limit: 10, max_tokens: 0 };
      return ((await ask(client, 'search_docs', args)) as unknown as FoundDocs).results.map(({ title }) => title);
    });
    rows.push(...toRows(set, judged));
  }
  return rows;
}

async function withProgram(
  judgeWith: (client: PipeClient) => Promise<readonly Row[]>,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly Row[]> {
  const { env, remove } = makeHome();
  const program = start(probeFile, [], { ...env, FOURFOLD_MAX_SCRATCHPADS: '0', MCP_ENABLE_MUTATION: '1', ...more });
  try {
    const client = createPipeClient(program.child);
    await client.ask(initialize);
    program.child.stdin.write(`${initialized}\n`);
    return await judgeWith(client);
  } finally {
    await program.stop();
    remove();
  }
}

/** Tasks over a store of their own: what belongs to other sets would be useless for each of them. */
export const benchRecall = (): Promise<readonly Row[]> => withProgram(benchRecallTasks, { WORKSPACE_ID: 'pedal' });

/** Words only, meaning only and both, for every judged set, and recall over all memories. */
export async function benchJudged(): Promise<readonly Row[]> {
  const rows = await withProgram(async (client) => [
    ...(await benchDocs(client)),
    ...(await benchRules(client)),
    ...(await benchNotes(client, 'german', germanNotes, germanQuestions)),
    ...(await benchNotes(client, 'japanese', japaneseNotes, japaneseQuestions)),
    ...(await benchDialogue(client)),
  ]);
  return [...rows, ...(await benchRecall())];
}
