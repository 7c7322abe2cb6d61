import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '#tests/support/program.ts';
import { AcknowledgedWrites, type Things } from './acknowledged-writes.ts';
import type { Json } from './conversation.ts';
import { createDice, type Dice } from './dice.ts';
import type { SharedPlace } from './places.ts';
import { startVictim, type Victim } from './victim.ts';

/** One write: the call, the expected state after it, and a check of its answer. */
export interface Write<Thing> {
  readonly tool: string;
  readonly args: Json;
  readonly after: Things<Thing>;
  /** The previous states that it moves to the trash, and why; default: what it deletes. */
  readonly putsAway?: ReadonlyMap<string, string>;
  /** Its items are stored one after the other: a kill may leave the first ones. */
  readonly isOneByOne?: boolean;
  readonly check: (answer: Json) => boolean;
}

export interface WritingLane<Thing> {
  /** Undefined if the chosen write is not possible now. */
  next(): Write<Thing> | undefined;
}

/** The context of a check after a restart. */
export interface RestartContext<Thing> {
  readonly victim: Victim;
  readonly place: SharedPlace;
  readonly promises: AcknowledgedWrites<Thing>;
  readonly round: number;
  /** The last check: expensive checks run now. */
  readonly isLast: boolean;
}

/** The memory whose writes are interrupted. */
export interface Memory<Thing> {
  /** The text of an item that is compared. */
  textOf(thing: Thing): string;
  /** A generator of writes to its own items; each write has new content. */
  createLane(lane: number, promises: AcknowledgedWrites<Thing>, dice: Dice): WritingLane<Thing>;
  /** Calls everything once without leaving anything that `findFlaws` reports. */
  warmUp(victim: Victim): Promise<void>;
  /** A read that makes a program open its data. */
  readonly firstRead: string;
  /** Must call `promises.compare` with all existing items. */
  findFlaws(look: RestartContext<Thing>): Promise<readonly string[]>;
  /** Runs after the last program has ended. */
  findAtRest?(place: SharedPlace, promises: AcknowledgedWrites<Thing>): Promise<readonly string[]>;
}

export interface KillReport {
  /** Acknowledged writes by tool. */
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly flaws: readonly string[];
}

/** Runs between two rounds, to change data behind the program's back. */
export type Between<Thing> = (round: number, promises: AcknowledgedWrites<Thing>) => void | Promise<void>;

export const lanesCount = 6;
/** The kill follows one of the first acknowledgements of a round closely. */
const killAmongCount = 16;
const killWithinMs = 4;
/** Every nth round is killed during its start instead. */
const earlyEvery = 6;
const startMs = 200;
/** Verifying the audit chain and running the doctor cost as much as several rounds. */
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
 * Starts a program on the data of the previous one, compares, writes, and kills it during its writes. The writes are
 * the same in every run as long as the answers are; the time of the kill is random.
 */
export async function killRounds<Thing>(
  place: SharedPlace,
  memory: Memory<Thing>,
  rounds: number,
  between: Between<Thing> = () => {},
): Promise<KillReport> {
  const promises = new AcknowledgedWrites<Thing>((thing) => memory.textOf(thing));
  const lanes = Array.from({ length: lanesCount }, (_, lane) => memory.createLane(lane, promises, createDice(lane)));
  const acknowledged: Record<string, number> = {};
  const flaws: string[] = [];

  async function writeOn(victim: Victim, lane: number, isAcknowledged: () => void): Promise<void> {
    for (;;) {
      const write = lanes[lane]?.next();
      if (write === undefined) continue;
      promises.ask(lane, write.after, write.putsAway, write.isOneByOne);
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

  /** A start finishes interrupted writes; this interrupts the start. */
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

  /** Ends normally, so that its compile cache is available to the next programs. */
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
  // Flaws found so far are already in the report.
  if (flaws.length === 0) await lookAtLast();
  return { acknowledged, flaws };
}
