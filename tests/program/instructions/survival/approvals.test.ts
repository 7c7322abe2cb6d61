import { describe, expect, it } from 'vitest';
import { createDice } from '#tests/support/survival/dice.ts';
import type { SharedPlace } from '#tests/support/survival/places.ts';
import { startVictim, type Victim } from '#tests/support/survival/victim.ts';
import { makeFilesPlace, makeTablePlace } from './places.fixture.ts';

const rulesCount = 12;
/** `npm run test:campaign` runs 200. */
const rounds = Number(process.env['FOURFOLD_TEST_KILL_ROUNDS'] ?? 4);

interface Proposed {
  readonly proposal_id: string;
}

const ruleIds = (round: number) => Array.from({ length: rulesCount }, (_, n) => `rule-${round}-${n}`);

/** Every third one proposes a removal. */
const isRemoval = (n: number): boolean => n % 3 === 0;

async function proposeAll(program: Victim, ids: readonly string[]): Promise<readonly string[]> {
  const entries = ids.map((id) => ({ id, body: `${id} as it was.` }));
  await program.call('instructions/import', { entries });
  const asked = ids.map((id, n) => (isRemoval(n) ? { remove: id } : { entry: { id, body: `${id} as proposed.` } }));
  const answers = await Promise.all(asked.map((one) => program.call<Proposed>('instructions/propose', one)));
  return answers.map((answer) => answer?.proposal_id ?? '');
}

/** The approvals of which the program answered before it was killed. */
async function approveUntilKilled(program: Victim, proposals: readonly string[], answersCount: number) {
  const answered: string[] = [];
  const calls = proposals.map(async (proposal_id) => {
    const answer = await program.call('instructions/approve', { proposal_id });
    if (answer === undefined) return;
    answered.push(proposal_id);
    if (answered.length === answersCount) await program.kill();
  });
  if (answersCount === 0) await program.kill();
  await Promise.all(calls);
  return answered;
}

async function findFlaws(
  program: Victim,
  ids: readonly string[],
  proposals: readonly string[],
  done: readonly string[],
) {
  const flaws: string[] = [];
  for (const [n, proposal_id] of proposals.entries()) {
    const shown = await program.call<{ items: { state: string }[] }>('instructions/proposals', { proposal_id });
    const state = shown?.items[0]?.state;
    if (done.includes(proposal_id) && state !== 'approved') flaws.push(`${proposal_id} was approved and is ${state}`);
    const found = await program.call<{ item?: { body: string } }>('instructions/get', { id: ids[n] });
    const isMade = isRemoval(n) ? found?.item === undefined : found?.item?.body.endsWith('as proposed.') === true;
    if (isMade !== (state === 'approved'))
      flaws.push(`${proposal_id} is ${state}, its change ${isMade ? '' : 'not '}made`);
    const again = await program.call('instructions/approve', { proposal_id });
    if (again?.['already'] !== (state === 'approved')) flaws.push(`${proposal_id} was approved twice`);
    const history = await program.call<{ count: number }>('instructions/history', { id: ids[n] });
    if (history?.count !== 2) flaws.push(`${ids[n]} has ${history?.count} versions`);
  }
  return flaws;
}

async function approveAndKill(place: SharedPlace): Promise<number> {
  const dice = createDice(7);
  let answeredCount = 0;
  for (let round = 0; round < rounds; round += 1) {
    const program = await startVictim(place.env);
    const ids = ruleIds(round);
    const proposals = await proposeAll(program, ids);
    const done = await approveUntilKilled(program, proposals, dice.below(rulesCount));
    answeredCount += done.length;
    await place.settled();
    const next = await startVictim(place.env);
    expect(await findFlaws(next, ids, proposals, done)).toEqual([]);
    expect(await next.call('audit/verify')).toMatchObject({ ok: true });
    await next.end();
  }
  return answeredCount;
}

describe(`[IN54] kill -9 during approvals, ${rounds} rounds`, { timeout: 3_600_000 }, () => {
  it('makes every approved change exactly once, with files', async ({ onTestFinished }) => {
    expect(await approveAndKill(makeFilesPlace(onTestFinished))).toBeGreaterThan(rounds);
  });

  it('makes every approved change exactly once, with PostgreSQL', async ({ onTestFinished }) => {
    expect(await approveAndKill(await makeTablePlace(onTestFinished))).toBeGreaterThan(rounds);
  });
});
