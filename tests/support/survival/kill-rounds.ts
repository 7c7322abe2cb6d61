import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '#tests/support/program.ts';
import type { Json } from './conversation.ts';
import { createDice, type Dice } from './dice.ts';
import type { SharedPlace } from './places.ts';
import { Promises, type Things } from './promises.ts';
import { startVictim, type Victim } from './victim.ts';

/** One write: the call, what is to be there after it, and what its answer has to say. */
export interface Write<Thing> {
  readonly tool: string;
  readonly args: Json;
  readonly after: Things<Thing>;
  /** Whose former states it puts away, and why; without it, what it removes. */
  readonly putsAway?: ReadonlyMap<string, string>;
  readonly check: (answer: Json) => boolean;
}

export interface WritingLane<Thing> {
  /** Undefined when the choice falls on something that cannot be done now. */
  next(): Write<Thing> | undefined;
}

/** What is looked at when a program stands on what a killed one left. */
export interface Look<Thing> {
  readonly victim: Victim;
  readonly place: SharedPlace;
  readonly promises: Promises<Thing>;
  readonly round: number;
  /** No other look follows: whatever costs much is looked at now. */
  readonly isLast: boolean;
}

/** All that the rounds have to know of the memory whose writes are interrupted. */
export interface Memory<Thing> {
  /** All of a thing that is looked at. */
  textOf(thing: Thing): string;
  /** Writes over things of its own, one after the other; each says something that was not said before. */
  createLane(lane: number, promises: Promises<Thing>, dice: Dice): WritingLane<Thing>;
  /** Does everything once, and leaves nothing that `findFlaws` would take for a flaw. */
  warmUp(victim: Victim): Promise<void>;
  /** A read that makes a program open what it has. */
  readonly firstRead: string;
  /** Has to ask `promises.compare` of all that is there. */
  findFlaws(look: Look<Thing>): Promise<readonly string[]>;
  /** After the last program has ended. */
  findAtRest?(place: SharedPlace, promises: Promises<Thing>): Promise<readonly string[]>;
}

export interface KillReport {
  /** Writes by tool. */
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly flaws: readonly string[];
}

/** Between two rounds, to do harm behind the program's back. */
export type Between<Thing> = (round: number, promises: Promises<Thing>) => void | Promise<void>;

export const lanesCount = 6;
/** The kill falls among the writes: within a moment of an acknowledgement that is one of the first so many. */
const killAmongCount = 16;
const killWithinMs = 4;
/** One round in so many is killed at any moment of its start instead. */
const earlyEvery = 6;
const startMs = 200;
/** The whole audit chain and the doctor cost as much as several rounds. */
const auditEvery = 50;

async function audit(victim: Victim, { env }: SharedPlace): Promise<readonly string[]> {
  const verified = await victim.call('audit/verify');
  const { code, stdout } = await runProgram(['doctor'], env);
  return [
    ...(verified?.['ok'] === true ? [] : [`audit/verify says ${JSON.stringify(verified)}`]),
    ...(code === 0 ? [] : [`doctor says ${stdout}`]),
  ];
}

/**
 * Starts a program on what the one before left, compares, writes on, and kills it among its writes. What the callers do is
 * the same in every run, as far as the answers are; when the kill falls is not.
 */
export async function killRounds<Thing>(
  place: SharedPlace,
  memory: Memory<Thing>,
  rounds: number,
  between: Between<Thing> = () => {},
): Promise<KillReport> {
  const promises = new Promises<Thing>((thing) => memory.textOf(thing));
  const lanes = Array.from({ length: lanesCount }, (_, lane) => memory.createLane(lane, promises, createDice(lane)));
  const acknowledged: Record<string, number> = {};
  const flaws: string[] = [];

  async function writeOn(victim: Victim, lane: number, isAcknowledged: () => void): Promise<void> {
    for (;;) {
      const write = lanes[lane]?.next();
      if (write === undefined) continue;
      promises.ask(lane, write.after, write.putsAway);
      const answer = await victim.call(write.tool, write.args);
      if (answer === undefined) return;
      promises.acknowledge(lane);
      isAcknowledged();
      acknowledged[write.tool] = (acknowledged[write.tool] ?? 0) + 1;
      if (!write.check(answer)) {
        flaws.push(`${write.tool} ${JSON.stringify(write.args)} was answered ${JSON.stringify(answer)}`);
      }
    }
  }

  /** Whatever was left open is finished at the start: also that is to be interrupted. */
  async function killAtStart(): Promise<void> {
    const victim = await startVictim(place.env);
    const asked = victim.call(memory.firstRead).catch(() => {});
    await pause(Math.random() * startMs);
    await victim.kill();
    await asked;
    await place.settled();
  }

  async function look(victim: Victim, round: number, isLast: boolean): Promise<void> {
    flaws.push(...(await memory.findFlaws({ victim, place, promises, round, isLast })));
    if (isLast || (round > 0 && round % auditEvery === 0)) flaws.push(...(await audit(victim, place)));
  }

  async function playRound(round: number): Promise<void> {
    const victim = await startVictim(place.env);
    let writing: Promise<unknown> = Promise.resolve();
    let left = Math.ceil(Math.random() * killAmongCount);
    try {
      await look(victim, round, false);
      if (flaws.length > 0) return;
      await new Promise<void>((isTime, isBroken) => {
        const count = (): void => {
          left -= 1;
          if (left === 0) isTime();
        };
        writing = Promise.all(lanes.map((_, lane) => writeOn(victim, lane, count)));
        writing.then(() => isTime(), isBroken);
      });
      await pause(Math.random() * killWithinMs);
    } finally {
      await victim.kill();
    }
    await writing;
    await place.settled();
  }

  /** Ends as it should, and so leaves its compiled code to the ones that will not. */
  async function warmUp(): Promise<void> {
    const victim = await startVictim(place.env);
    await memory.warmUp(victim);
    await victim.end();
  }

  async function lookAtLast(): Promise<void> {
    const last = await startVictim(place.env);
    await look(last, rounds, true);
    const code = await last.end();
    if (code !== 0) flaws.push(`the last program ended with ${code}`);
    flaws.push(...((await memory.findAtRest?.(place, promises)) ?? []));
  }

  await warmUp();
  for (let round = 0; round < rounds && flaws.length === 0; round += 1) {
    await (round % earlyEvery === earlyEvery - 1 ? killAtStart() : playRound(round));
    await between(round, promises);
  }
  // What is wrong by then is told already.
  if (flaws.length === 0) await lookAtLast();
  return { acknowledged, flaws };
}
