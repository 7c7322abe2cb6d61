import { setTimeout as pause } from 'node:timers/promises';
import { runProgram, serveProgram } from '#tests/support/program.ts';
import type { SharedPlace } from '../../instructions/survival/places.ts';
import { Promises } from '../../instructions/survival/promises.ts';
import type { Victim } from '../../instructions/survival/victim.ts';
import { type Json, type Pad, quietEnv } from '../notebook-program.ts';
import { cellTagsOf, findContradictions, type KeptPad, readKept, toContent, toKept } from './kept-pad.ts';
import { startTelling } from './telling-victim.ts';
import { createWritingLane, laneTag, toContents } from './writing-lane.ts';

export interface KillReport {
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly flaws: readonly string[];
}

const lanesCount = 6;
/** The kill falls among the writes: within a moment of an acknowledgement that is one of the first so many. */
const killAmongCount = 16;
const killWithinMs = 4;
/** One round in so many is killed at any moment of its start instead. */
const earlyEvery = 4;
const startMs = 150;
/** What is derived from pads: tags, namespaces, what is found. */
const derivedEvery = 10;

type Pads = ReadonlyMap<string, KeptPad>;

async function readPads(victim: Victim): Promise<readonly Pad[] | undefined> {
  const listed = await victim.call<{ scratchpads: readonly Pad[] }>('scratch_list', { limit: 1000 });
  const reads = listed?.scratchpads.map(({ scratch_id }) =>
    victim.call<{ scratchpad: Pad }>('scratch_read', { scratch_id }),
  );
  const pads = (await Promise.all(reads ?? [])).map((answer) => answer?.scratchpad);
  return listed === undefined || pads.includes(undefined) ? undefined : pads.map((pad) => pad!);
}

const sorted = (texts: Iterable<string>): string => [...new Set(texts)].toSorted().join();
const differ = (what: string, is: string, expected: string): readonly string[] =>
  is === expected ? [] : [`${what}: ${is}, not ${expected}`];

/** Tags, namespaces and search know of the pads what the pads say of themselves. */
async function findDerived(victim: Victim, pads: Pads): Promise<readonly string[]> {
  const all = [...pads.values()];
  const tags = await victim.call<Record<string, readonly string[]>>('scratch_list_tags');
  const { namespaces = [] } =
    (await victim.call<{ namespaces: readonly { namespace: string; scratchpad_count: number }[] }>(
      'scratch_namespace_list',
    )) ?? {};
  const counts = namespaces.filter(({ scratchpad_count: n }) => n !== 0);
  const expected = all.map(
    ({ namespace }) => `${namespace}=${all.filter((pad) => pad.namespace === namespace).length}`,
  );
  const flaws = [
    ...differ('tags of pads', (tags?.['scratchpad_tags'] ?? []).join(), sorted(all.flatMap((pad) => pad.tags))),
    ...differ('tags of cells', (tags?.['cell_tags'] ?? []).join(), sorted(all.flatMap(cellTagsOf))),
    ...differ(
      'namespaces',
      sorted(counts.map(({ namespace, scratchpad_count: n }) => `${namespace}=${n}`)),
      sorted(expected),
    ),
  ];
  for (let lane = 0; lane < lanesCount; lane += 1) {
    const args = { query: 'kept lane', tags: [laneTag(lane)], limit: 50 };
    const found = await victim.call<{ hits: readonly Record<string, string>[] }>('scratch_search', args);
    const places = (found?.hits ?? []).map((hit) => `${hit['scratch_id']}/${hit['cell_id'] ?? ''}`);
    const there = [...pads].filter(([id]) => id.startsWith(`${laneTag(lane)}-`));
    const documents = there.flatMap(([id, { cells }]) => [`${id}/`, ...cells.map(({ cell_id }) => `${id}/${cell_id}`)]);
    flaws.push(...differ(`search in lane ${lane}`, sorted(places), sorted(documents)));
  }
  return flaws;
}

async function findFlaws(victim: Victim, promises: Promises, isThorough: boolean): Promise<readonly string[]> {
  const read = await readPads(victim);
  if (read === undefined) return ['the program ended before it answered'];
  const pads: Pads = new Map(read.map((pad) => [pad.scratch_id, toKept(pad)]));
  const flaws = [
    ...read.flatMap(findContradictions),
    ...promises.compare(new Map([...pads].map(([id, pad]) => [id, toContent(pad)]))),
  ];
  return isThorough ? [...flaws, ...(await findDerived(victim, pads))] : flaws;
}

/** The counts that limits and metrics go by, as the program itself shows them. */
async function findTotals({ env }: SharedPlace, pads: readonly KeptPad[]): Promise<readonly string[]> {
  const served = await serveProgram(env);
  const made = await runProgram(
    ['keys', 'create', '--name', 'looker', '--scopes', 'read', '--scopes', 'admin', '--json'],
    env,
  );
  const { key } = JSON.parse(made.stdout) as { key: string };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  await fetch(`${served.url}/api/tools/scratch_list`, { method: 'POST', headers, body: '{}' });
  const text = await (await fetch(`${served.url}/metrics`, { headers })).text();
  await served.stop();
  const currentOf = (name: string): string =>
    new RegExp(`^scratch_notebook_${name}_current (\\d+)$`, 'm').exec(text)?.[1] ?? 'none';
  const cellsCount = pads.reduce((sum, { cells }) => sum + cells.length, 0);
  return [
    ...differ('scratchpads in all', currentOf('scratchpads'), `${pads.length}`),
    ...differ('cells in all', currentOf('cells'), `${cellsCount}`),
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

/** Does everything once and ends as it should, and so leaves its compiled code to the ones that will not. */
async function warmUp({ env }: SharedPlace): Promise<void> {
  const victim = await startTelling(env);
  const own = { scratch_id: 'warm' };
  const cell = { language: 'md', content: 'warm', tags: ['warm'] };
  const cells = [{ ...cell, cell_id: 'c' }];
  await victim.call('scratch_create', { ...own, metadata: { namespace: 'warm', tags: ['warm'] }, cells });
  await victim.call('scratch_append_cell', { ...own, cell });
  await victim.call('scratch_replace_cell', { ...own, cell_id: 'c', cell, new_index: 1 });
  await victim.call('scratch_upsert_schema', { ...own, schema: { schema: {} } });
  await victim.call('scratch_namespace_rename', { old_namespace: 'warm', new_namespace: 'warmer' });
  await findFlaws(victim, new Promises(), true);
  await victim.call('scratch_delete', own);
  await victim.end();
}

/** Starts a program on what the one before left, compares, writes on, and kills it among its writes. */
export async function killRounds(
  given: SharedPlace,
  rounds: number,
  between: (round: number, promises: Promises) => void | Promise<void> = () => {},
): Promise<KillReport> {
  const place = { ...given, env: { ...given.env, ...quietEnv } };
  const promises = new Promises();
  const lanes = Array.from({ length: lanesCount }, (_, lane) => createWritingLane(lane, promises));
  const acknowledged: Record<string, number> = {};
  const flaws: string[] = [];

  async function writeOn(victim: Victim, lane: number, isAcknowledged: () => void): Promise<void> {
    for (;;) {
      const write = lanes[lane]?.next();
      if (write === undefined) continue;
      promises.ask(lane, toContents(write.after));
      const answer = await victim.call<Json>(write.tool, write.args);
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
    const victim = await startTelling(place.env);
    const asked = victim.call('scratch_list').catch(() => {});
    await pause(Math.random() * startMs);
    await victim.kill();
    await asked;
    await place.settled();
  }

  async function playRound(round: number): Promise<void> {
    const victim = await startTelling(place.env);
    let writing: Promise<unknown> = Promise.resolve();
    let left = Math.ceil(Math.random() * killAmongCount);
    try {
      flaws.push(...(await findFlaws(victim, promises, round % derivedEvery === 0)));
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

  async function lookAtLast(): Promise<void> {
    const last = await startTelling(place.env);
    flaws.push(...(await findFlaws(last, promises, true)), ...(await audit(last, place)));
    const ids = ((await readPads(last)) ?? []).map(({ scratch_id }) => scratch_id);
    const code = await last.end();
    if (code !== 0) flaws.push(`the last program ended with ${code}`);
    const kept = ids.flatMap((id) => promises.present(id) ?? []).map(readKept);
    flaws.push(...(await findTotals(place, kept)));
  }

  await warmUp(place);
  for (let round = 0; round < rounds && flaws.length === 0; round += 1) {
    await (round % earlyEvery === earlyEvery - 1 ? killAtStart() : playRound(round));
    await between(round, promises);
  }
  // What is wrong by then is told already.
  if (flaws.length === 0) await lookAtLast();
  return { acknowledged, flaws };
}
