import { setTimeout as wait } from 'node:timers/promises';
import { readConversations, turnsOf } from './judged/dialogue.ts';
import { callTool, initialize, initialized } from './messages.ts';
import { createPipeClient, type PipeClient } from './pipe-client.ts';
import { makeHome, probeFile, type Started, start } from './processes.ts';
import type { Row } from './table.ts';
import { check, spreadOf, within } from './timing.ts';

const callsCount = 40;
/** Longer than background work rests after a request, so that each call arrives while texts are embedded. */
const pauseMs = 60;
const padsCount = 72;

const turns = readConversations().flatMap((conversation) => turnsOf(conversation));
const turnAt = (n: number) => turns[n % turns.length]!.text;
const line = (name: string, args: object): string => callTool(name, args, 'legacy')(1);

/** A text that no call has asked for before, so that each one is embedded. */
const search = (mode: string) => (n: number) =>
  line('scratch_search', { query: `${turnAt(n * 37).slice(0, 40)} ${n}`, mode });

const calls = {
  'a search by words': search('words'),
  'a hybrid search': search('hybrid'),
  'a write': (n: number) =>
    line('scratch_create', { scratch_id: `new-${n}`, cells: [{ cell_id: 'a', language: 'txt', content: turnAt(n) }] }),
} as const;
type What = keyof typeof calls;

const whats = Object.keys(calls) as readonly What[];

async function pendingCount(client: PipeClient): Promise<number> {
  const answer = JSON.parse(check(await client.ask(line('scratch_search', { query: 'city', mode: 'hybrid' })))) as {
    readonly result: { readonly content: readonly [{ readonly text: string }] };
  };
  return (JSON.parse(answer.result.content[0].text) as { readonly pending?: number }).pending ?? 0;
}

async function open() {
  const { env, remove } = makeHome();
  const program = start(probeFile, [], { ...env, FOURFOLD_MAX_SCRATCHPADS: '0' });
  const client = createPipeClient(program.child);
  await client.ask(initialize);
  program.child.stdin.write(`${initialized}\n`);
  for (let pad = 0; pad < padsCount; pad += 1) {
    const cells = Array.from({ length: 20 }, (_, i) => ({
      ...{ cell_id: `${i}`, language: 'txt' },
      content: Array.from({ length: 12 }, (_each, k) => turnAt(pad * 240 + i * 12 + k)).join(' '),
    }));
    check(await client.ask(line('scratch_create', { scratch_id: `pad-${pad}`, cells })));
  }
  async function close(): Promise<void> {
    await program.stop();
    remove();
  }
  return { client, child: program.child, close };
}

interface Measured {
  readonly client: PipeClient;
  readonly child: Started['child'];
}

async function timed({ client, child }: Measured, text: string): Promise<number> {
  child.kill('SIGCONT');
  await wait(pauseMs);
  const startedAt = performance.now();
  const answer = await client.ask(text);
  const ms = performance.now() - startedAt;
  child.kill('SIGSTOP');
  check(answer);
  return ms;
}

/**
 * How much a backlog of texts that wait to be embedded slows searches and writes, each after a pause. Two programs with
 * the same texts alternate, because the speed of a machine varies more than this from one minute to the next. One is
 * stopped while the other is measured: its embedding would slow the other one too.
 */
export async function benchBacklog(): Promise<readonly Row[]> {
  const done = await open();
  while ((await pendingCount(done.client)) > 0) await wait(500);
  const busy = await open();
  try {
    // The model is loaded, and embedding has begun.
    const all = await pendingCount(busy.client);
    while ((await pendingCount(busy.client)) >= all) await wait(100);
    for (const { child } of [done, busy]) child.kill('SIGSTOP');
    const found = whats.map((what) => ({ what, busy: [] as number[], done: [] as number[] }));
    for (let n = 0; n < callsCount; n += 1) {
      for (const { what, ...times } of found) {
        times.done.push(await timed(done, calls[what](n)));
        times.busy.push(await timed(busy, calls[what](n)));
      }
    }
    busy.child.kill('SIGCONT');
    if ((await pendingCount(busy.client)) <= 3) throw new Error('the backlog ended before the measurement');
    return found.map(({ what, ...times }) =>
      within(
        `${what} while texts are embedded, p50, compared with none`,
        spreadOf(times.busy).p50,
        spreadOf(times.done).p50,
        1.25,
      ),
    );
  } finally {
    for (const { child } of [done, busy]) child.kill('SIGCONT');
    await busy.close();
    await done.close();
  }
}
