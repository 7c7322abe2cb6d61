import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Conversation, openConversation } from '#tests/support/survival/conversation.ts';

/** A server with puts and gets over stdio that is killed without warning. */
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
/** Long enough for acknowledged writes, short enough that the kill hits the writes. */
const roundMs = { min: 5, max: 60 };

const start = ({ file, env }: Victim): Conversation =>
  openConversation(spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: 'pipe' }));

/** Writes from several callers until the kill; returns the ids whose write was acknowledged. */
async function writeUntilKilled(conversation: Conversation, round: number): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  // The kill must hit the writes, not the start.
  await conversation.request('probe/get', { id: 'none' });
  const clients = Array.from({ length: clientCount }, async (_, client) => {
    for (let i = 0; ; i += 1) {
      const id = `r${round}-c${client}-${i}`;
      const answer = await conversation.request('probe/put', { id, text: id });
      if (answer?.result === undefined) return;
      acknowledged.push(id);
    }
  });
  const { min, max } = roundMs;
  await pause(min + Math.random() * (max - min));
  await conversation.kill();
  await Promise.all(clients);
  return acknowledged;
}

async function findLost(conversation: Conversation, ids: readonly string[]): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const id of ids) {
    const answer = await conversation.request('probe/get', { id });
    if (answer?.result?.['text'] !== id) lost.push(id);
  }
  return lost;
}

/** Each round checks the acknowledged writes of the previous one, writes on, and is killed during its writes. */
export async function killRounds(victim: Victim, rounds: number): Promise<KillReport> {
  const lost: string[] = [];
  let acknowledged = 0;
  let before: readonly string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const conversation = start(victim);
    lost.push(...(await findLost(conversation, before)));
    before = await writeUntilKilled(conversation, round);
    acknowledged += before.length;
  }
  const last = start(victim);
  lost.push(...(await findLost(last, before)));
  await last.end();
  return { rounds, acknowledged, lost };
}
