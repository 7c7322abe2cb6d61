import type { Memory, RestartContext } from '#tests/support/survival/kill-rounds.ts';
import type { Victim } from '#tests/support/survival/victim.ts';
import { type Content, contentText, createWritingLane } from './writing-lane.fixture.ts';

/** Inspecting and searching cost a cold program as much as a dozen writes. */
const searchEvery = 5;

interface ListAnswer {
  readonly hash: string;
  readonly count: number;
  readonly items: readonly (Content & { readonly id: string })[];
}

interface InspectAnswer {
  readonly data: {
    readonly raw: { readonly count: number };
    readonly validation: { readonly problems: readonly unknown[] };
  };
}

/** Whether a file is invalid, and whether the search index contains every entry. */
async function findHidden(victim: Victim): Promise<readonly string[]> {
  const [inspected, found] = await Promise.all([
    victim.call<InspectAnswer>('instructions/inspect'),
    victim.call<{ count: number }>('instructions/search', { q: 'kept', limit: 1 }),
  ]);
  const { count } = inspected?.data.raw ?? {};
  const problems = inspected?.data.validation.problems ?? ['no answer'];
  return [
    ...(problems.length === 0 ? [] : [`inspect says ${JSON.stringify(problems)}`]),
    ...(found?.count === count ? [] : [`search finds ${found?.count} of ${count}`]),
  ];
}

/** What is wrong with the catalog that a killed program left, as the next one serves it. */
async function findFlaws({ victim, promises, round, isLast }: RestartContext<Content>): Promise<readonly string[]> {
  const [listed, verified] = await Promise.all([
    victim.call<ListAnswer>('instructions/list'),
    victim.call('integrity/verify'),
  ]);
  if (listed === undefined) return [`the program ended before it answered: ${victim.said()}`];
  const flaws = [...promises.compare(new Map(listed.items.map(({ id, body, owner }) => [id, { body, owner }])))];
  const { hash, count } = listed;
  if (verified?.['issueCount'] !== 0 || verified['hash'] !== hash || verified['count'] !== count) {
    flaws.push(`integrity/verify says ${JSON.stringify(verified)} of ${hash}`);
  }
  return isLast || round % searchEvery === 0 ? [...flaws, ...(await findHidden(victim))] : flaws;
}

export const catalogMemory: Memory<Content> = {
  textOf: contentText,
  createLane: createWritingLane,
  firstRead: 'instructions/list',
  warmUp: async (victim) => void (await victim.call('instructions/list')),
  findFlaws,
};
