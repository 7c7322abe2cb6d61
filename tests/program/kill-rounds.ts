import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A server that takes puts and gets over stdio and is killed without warning. */
export interface Victim {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface KillReport {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly lost: readonly string[];
}

const clientCount = 8;
/** Long enough that a round has acknowledged writes, short enough that the kill falls among them. */
const roundMs = { min: 5, max: 60 };

interface Conversation {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves undefined when the process ends first. */
  call(name: string, args: object): Promise<Record<string, unknown> | undefined>;
}

function converse({ file, env }: Victim): Conversation {
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: 'pipe' });
  const waiting = new Map<number, (answer: Record<string, unknown> | undefined) => void>();
  let nextId = 0;
  let isGone = false;
  child.stderr.resume();
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line) as { id: number; result?: Record<string, unknown> };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  child.once('exit', () => {
    isGone = true;
    for (const settle of waiting.values()) settle(undefined);
  });
  return {
    child,
    call: (name, args) =>
      new Promise((resolve) => {
        if (isGone) return resolve(undefined);
        nextId += 1;
        waiting.set(nextId, resolve);
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: nextId, method: name, params: args })}\n`);
      }),
  };
}

const ended = (child: ChildProcessWithoutNullStreams): Promise<void> =>
  new Promise((resolve) =>
    child.exitCode === null && child.signalCode === null ? child.once('exit', () => resolve()) : resolve(),
  );

/** Writes from several callers until the kill; answers the ids whose write was acknowledged. */
async function writeUntilKilled(conversation: Conversation, round: number): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  // The kill is to fall among the writes, not among the start.
  await conversation.call('probe/get', { id: 'none' });
  const clients = Array.from({ length: clientCount }, async (_, client) => {
    for (let i = 0; ; i += 1) {
      const id = `r${round}-c${client}-${i}`;
      const answer = await conversation.call('probe/put', { id, text: id });
      if (answer === undefined) return;
      acknowledged.push(id);
    }
  });
  const { min, max } = roundMs;
  setTimeout(() => conversation.child.kill('SIGKILL'), min + Math.random() * (max - min));
  await Promise.all(clients);
  await ended(conversation.child);
  return acknowledged;
}

async function findLost(conversation: Conversation, ids: readonly string[]): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const id of ids) {
    const answer = await conversation.call('probe/get', { id });
    if (answer?.['text'] !== id) lost.push(id);
  }
  return lost;
}

/** Each round asks for what the round before was promised, writes on, and is killed among its writes. */
export async function killRounds(victim: Victim, rounds: number): Promise<KillReport> {
  const lost: string[] = [];
  let acknowledged = 0;
  let before: readonly string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const conversation = converse(victim);
    lost.push(...(await findLost(conversation, before)));
    before = await writeUntilKilled(conversation, round);
    acknowledged += before.length;
  }
  const last = converse(victim);
  lost.push(...(await findLost(last, before)));
  last.child.stdin.end();
  await ended(last.child);
  return { rounds, acknowledged, lost };
}
