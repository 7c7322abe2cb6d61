import { setTimeout as pause } from 'node:timers/promises';
import { startProgram } from '#tests/support/program.ts';
import { type Conversation, type Json, openConversation } from './conversation.ts';
import { createDice, type Dice } from './dice.ts';

interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: Json;
}

/** A write, and how to find out whether it was stored. */
interface Write {
  readonly tool: string;
  readonly args: Json;
  isStored(ask: Ask): Promise<boolean>;
}

type Ask = (tool: string, args?: Json) => Promise<Json>;

type Outcome = 'stored' | 'unknown' | 'failed';

interface Answered {
  readonly write: Write;
  readonly outcome: Outcome;
  readonly text: string;
}

/** The part of a round that makes the store fail and work again. */
export interface Failure {
  /** Runs while the lanes write. */
  begin(dice: Dice): Promise<void>;
  /** Runs while the lanes still write. */
  end(): Promise<void>;
}

export interface OutcomeReport {
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Answers that contradict the store. */
  readonly lies: readonly string[];
  readonly codes: Readonly<Record<string, number>>;
}

const lanesCount = 6;
/** A lane that is refused waits a little, so that refusals do not outnumber everything else. */
const refusedPauseMs = 25;

const page = (name: string) => ({ path: `${name}.md`, content: `# ${name}\n\nThe page of ${name}.` });

/** Creates things under new names, so that each write can be looked up on its own. */
const writers: readonly ((name: string, size: number) => Write)[] = [
  (name, size) => ({
    tool: 'instructions/add',
    args: { entry: { id: name, body: `${name} ${'x'.repeat(size)}` }, lax: true },
    isStored: async (ask) => (await ask('instructions/get', { id: name }))['item'] !== undefined,
  }),
  (name, size) => ({
    tool: 'knowledge_ingest',
    args: {
      library: name,
      version: '1.0.0',
      pages: [page('a'), { ...page('b'), content: `# b\n\n${'y '.repeat(size)}` }],
    },
    isStored: async (ask) => {
      const { libraries } = (await ask('knowledge_list', { library: name })) as { libraries: readonly unknown[] };
      return libraries.length > 0;
    },
  }),
  (name, size) => ({
    tool: 'scratch_create',
    args: { scratch_id: name, cells: [{ language: 'txt', content: 'z'.repeat(size) }], if_exists: 'fail' },
    isStored: async (ask) => 'scratchpad' in (await ask('scratch_read', { scratch_id: name })),
  }),
  (name, size) => ({
    tool: 'store_record',
    args: { type: name, properties: { text: 'w'.repeat(size) } },
    isStored: async (ask) => (await ask('retrieve_records', { type: name }))['total'] === 1,
  }),
];

/** Removes an instruction that the round before has stored. */
const removal = (name: string): Write => ({
  tool: 'instructions/remove',
  args: { ids: [name] },
  isStored: async (ask) => (await ask('instructions/get', { id: name }))['item'] === undefined,
});

/** A failing store must be reported as such; any other failure is a bug. Some tools answer with the message alone. */
const storeFailures: readonly (readonly [code: string, pattern: RegExp])[] = [
  ['OUTCOME_UNKNOWN', /OUTCOME_UNKNOWN|it is unknown whether the write was stored/],
  ['STORE_UNAVAILABLE', /STORE_UNAVAILABLE|DB_(?:INSERT|QUERY)_FAILED|The store is not available/],
  ['STORE_BUSY', /STORE_BUSY|held the write lock/],
  ['TIMEOUT', /TIMEOUT|and was stopped/],
];

const codeOf = (text: string): string | undefined => storeFailures.find(([, pattern]) => pattern.test(text))?.[0];

function toOutcome(code: string): Outcome {
  if (code === 'ok') return 'stored';
  return code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed';
}

export interface OutcomeProgram {
  readonly pid: number;
  readonly conversation: Conversation;
}

export async function startOutcomeProgram(env: Readonly<Record<string, string>>): Promise<OutcomeProgram> {
  const child = startProgram([], { FOURFOLD_LOG_LEVEL: 'error', MCP_ENABLE_MUTATION: '1', ...env });
  const conversation = openConversation(child);
  const clientInfo = { name: 'tester', version: '1' };
  await conversation.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  conversation.notify('notifications/initialized');
  return { pid: child.pid!, conversation };
}

/**
 * Lets several lanes write while the store fails and comes back, and compares every answer with the store: a success
 * must be stored, a plain failure must not be, and only OUTCOME_UNKNOWN may be either.
 */
export async function outcomeRounds(
  { conversation }: OutcomeProgram,
  failure: Failure,
  rounds: number,
  seed: number,
): Promise<OutcomeReport> {
  const dice = createDice(seed);
  const counts: Record<Outcome, number> = { stored: 0, unknown: 0, failed: 0 };
  const codes: Record<string, number> = {};
  const lies: string[] = [];
  let removable: string[] = [];

  async function request(tool: string, args: Json) {
    const message = await conversation.request<ToolAnswer>('tools/call', { name: tool, arguments: args });
    if (message === undefined) throw new Error(`the program ended: ${conversation.said()}`);
    const { result, error } = message;
    const isError = error !== undefined || result?.isError === true;
    return { isError, text: JSON.stringify(error ?? result), value: result?.structuredContent ?? {} };
  }

  /** Repeats while the store recovers. A missing item is an answer, not a failure. */
  const ask: Ask = async (tool, args = {}) => {
    for (;;) {
      const { isError, text, value } = await request(tool, args);
      if (!isError || text.includes('NOT_FOUND')) return value;
      if (codeOf(text) === undefined) throw new Error(`${tool} failed: ${text}`);
      await pause(20);
    }
  };

  async function perform(write: Write): Promise<Answered> {
    const { isError, text } = await request(write.tool, write.args);
    const code = isError ? codeOf(text) : 'ok';
    if (code === undefined) throw new Error(`${write.tool} failed for another reason: ${text.slice(0, 500)}`);
    const outcome = toOutcome(code);
    counts[outcome] += 1;
    codes[`${write.tool} ${code}`] = (codes[`${write.tool} ${code}`] ?? 0) + 1;
    return { write, outcome, text };
  }

  async function check({ write, outcome, text }: Answered): Promise<void> {
    if (outcome === 'unknown') return;
    if ((await write.isStored(ask)) === (outcome === 'stored')) return;
    lies.push(`${write.tool} ${JSON.stringify(write.args).slice(0, 80)} was answered ${text.slice(0, 300)}`);
  }

  async function playRound(round: number): Promise<void> {
    const answered: Answered[] = [];
    let isOver = false;
    const lane = async (number: number): Promise<void> => {
      for (let n = 0; !isOver; n += 1) {
        const old = dice.below(8) === 0 ? removable.pop() : undefined;
        const create = dice.pick(writers)!;
        const size = 1 + dice.below(dice.below(4) === 0 ? 20_000 : 200);
        const one = await perform(old === undefined ? create(`t${seed}-${round}-${number}-${n}`, size) : removal(old));
        answered.push(one);
        if (one.outcome !== 'stored') await pause(refusedPauseMs);
      }
    };
    const lanes = Array.from({ length: lanesCount }, (_, number) => lane(number));
    const writing = Promise.all(lanes);
    const acknowledged = () => answered.filter(({ outcome }) => outcome === 'stored').length;
    const until = async (count: number) => {
      while (acknowledged() < count) await Promise.race([pause(2), writing]);
    };
    await until(5 + dice.below(20));
    await failure.begin(dice);
    await failure.end();
    await until(acknowledged() + 3);
    isOver = true;
    await writing;
    for (const one of answered) await check(one);
    removable = answered
      .filter(({ write, outcome }) => write.tool === 'instructions/add' && outcome === 'stored')
      .map(({ write }) => (write.args['entry'] as { id: string }).id);
  }

  for (let round = 0; round < rounds && lies.length === 0; round += 1) await playRound(round);
  return { counts, lies, codes };
}
