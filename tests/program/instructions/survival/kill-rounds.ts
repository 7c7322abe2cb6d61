import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '#tests/support/program.ts';
import type { Json } from '../catalog-program.ts';
import type { SharedPlace } from './places.ts';
import { type Content, Promises } from './promises.ts';
import { startVictim, type Victim } from './victim.ts';
import { createWritingLane } from './writing-lane.ts';

export interface KillReport {
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly rounds: number;
  readonly flaws: readonly string[];
}

const lanesCount = 6;
/** The kill falls among the writes: within a moment of an acknowledgement that is one of the first so many. */
const killAmongCount = 16;
const killWithinMs = 4;
/** One round in so many is killed at any moment of its start instead. */
const earlyEvery = 8;
const startMs = 200;
/** Inspecting and searching cost a cold program as much as a dozen writes. */
const searchEvery = 5;
/** The whole audit chain and the doctor cost as much as several rounds. */
const auditEvery = 50;

interface Listed {
  readonly hash: string;
  readonly count: number;
  readonly items: readonly (Content & { readonly id: string })[];
}

interface Inspected {
  readonly data: {
    readonly raw: { readonly count: number };
    readonly validation: { readonly problems: readonly unknown[] };
  };
}

/** What is wrong with the catalog that a killed program left, as the next one serves it. */
async function findFlaws(victim: Victim, promises: Promises): Promise<readonly string[]> {
  const [listed, verified] = await Promise.all([
    victim.call<Listed>('instructions/list'),
    victim.call('integrity/verify'),
  ]);
  if (listed === undefined) return ['the program ended before it answered'];
  const flaws = [...promises.compare(new Map(listed.items.map(({ id, body, owner }) => [id, { body, owner }])))];
  const { hash, count } = listed;
  if (verified?.['issueCount'] !== 0 || verified['hash'] !== hash || verified['count'] !== count) {
    flaws.push(`integrity/verify says ${JSON.stringify(verified)} of ${hash}`);
  }
  return flaws;
}

/** Whether a file is bad and whether the search index knows every entry. */
async function findHidden(victim: Victim): Promise<readonly string[]> {
  const [inspected, found] = await Promise.all([
    victim.call<Inspected>('instructions/inspect'),
    victim.call<{ count: number }>('instructions/search', { q: 'kept', limit: 1 }),
  ]);
  const { count } = inspected?.data.raw ?? {};
  const problems = inspected?.data.validation.problems ?? ['no answer'];
  return [
    ...(problems.length === 0 ? [] : [`inspect says ${JSON.stringify(problems)}`]),
    ...(found?.count === count ? [] : [`search finds ${found?.count} of ${count}`]),
  ];
}

async function audit(victim: Victim, { env }: SharedPlace): Promise<readonly string[]> {
  const verified = await victim.call('audit/verify');
  const { code, stdout } = await runProgram(['doctor'], env);
  return [
    ...(verified?.['ok'] === true ? [] : [`audit/verify says ${JSON.stringify(verified)}`]),
    ...(code === 0 ? [] : [`doctor says ${stdout}`]),
  ];
}

const isSaid = (answer: Json, expected: Json): boolean =>
  Object.entries(expected).every(([key, value]) => JSON.stringify(answer[key]) === JSON.stringify(value));

/** Ends as it should, and so leaves its compiled code to the ones that will not. */
async function warmUp({ env }: SharedPlace): Promise<void> {
  const victim = await startVictim(env);
  await victim.call('instructions/list');
  await victim.end();
}

/** Starts a program on what the one before left, compares, writes on, and kills it among its writes. */
export async function killRounds(
  place: SharedPlace,
  rounds: number,
  between: (round: number, promises: Promises) => void | Promise<void> = () => {},
): Promise<KillReport> {
  const promises = new Promises();
  const lanes = Array.from({ length: lanesCount }, (_, lane) => createWritingLane(lane, promises));
  const acknowledged: Record<string, number> = {};
  const flaws: string[] = [];

  async function writeOn(victim: Victim, lane: number, isAcknowledged: () => void): Promise<void> {
    for (;;) {
      const write = lanes[lane]?.next();
      if (write === undefined) continue;
      promises.ask(lane, write.after);
      const answer = await victim.call(write.tool, write.args);
      if (answer === undefined) return;
      promises.acknowledge(lane);
      isAcknowledged();
      acknowledged[write.tool] = (acknowledged[write.tool] ?? 0) + 1;
      if (!isSaid(answer, write.answer)) {
        flaws.push(`${write.tool} ${JSON.stringify(write.args)} was answered ${JSON.stringify(answer)}`);
      }
    }
  }

  /** Whatever was left open is finished at the start: also that is to be interrupted. */
  async function killAtStart(): Promise<void> {
    const victim = await startVictim(place.env);
    const asked = victim.call('instructions/list').catch(() => {});
    await pause(Math.random() * startMs);
    await victim.kill();
    await asked;
    await place.settled();
  }

  async function playRound(round: number): Promise<void> {
    const victim = await startVictim(place.env);
    flaws.push(...(await findFlaws(victim, promises)));
    if (round % searchEvery === 0) flaws.push(...(await findHidden(victim)));
    if (round > 0 && round % auditEvery === 0) flaws.push(...(await audit(victim, place)));
    let writing: Promise<unknown> = Promise.resolve();
    let left = Math.ceil(Math.random() * killAmongCount);
    await new Promise<void>((isTime, isBroken) => {
      const count = (): void => {
        left -= 1;
        if (left === 0) isTime();
      };
      writing = Promise.all(lanes.map((_, lane) => writeOn(victim, lane, count)));
      writing.then(() => isTime(), isBroken);
    });
    await pause(Math.random() * killWithinMs);
    await victim.kill();
    await writing;
    await place.settled();
  }

  await warmUp(place);
  for (let round = 0; round < rounds && flaws.length === 0; round += 1) {
    await (round % earlyEvery === earlyEvery - 1 ? killAtStart() : playRound(round));
    await between(round, promises);
  }
  const last = await startVictim(place.env);
  for (const look of [() => findFlaws(last, promises), () => findHidden(last), () => audit(last, place)]) {
    flaws.push(...(await look()));
  }
  const code = await last.end();
  if (code !== 0) flaws.push(`the last program ended with ${code}`);
  return { acknowledged, rounds, flaws };
}
