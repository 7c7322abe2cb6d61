import type { AcknowledgedWrites } from '#tests/support/survival/acknowledged-writes.ts';
import type { Json } from '#tests/support/survival/conversation.ts';
import { createDice, type Dice } from '#tests/support/survival/dice.ts';
import { lanesCount, type Memory, type RestartContext, type Write } from '#tests/support/survival/kill-rounds.ts';
import type { Victim } from '#tests/support/survival/victim.ts';

/** Where a text is, such as `note` or `note, note` if it was stored twice. */
type Kept = string;

const kinds = ['rule', 'fact', 'note'] as const;
type Kind = (typeof kinds)[number];

interface Item {
  readonly kind: Kind;
  readonly mark: string;
  readonly args: Json;
}

interface Remembered {
  readonly kind: Kind;
  readonly id: string;
  readonly known?: true;
}

const namespace = 'survival';
const markPattern = /m\d+x\d+x\d+/;
const itemsCount = 5;
/** Texts that are sent again after a restart, and after the last one. */
const resentCount = 8;
const resentAtLastCount = 300;
/** Lanes are numbered from 0. */
const resender = lanesCount;

const subjectOf = (lane: number): string => `Customer ${lane}`;

const textOf: Readonly<Record<Kind, (mark: string) => string>> = {
  rule: (mark) => `Always run ${mark} before a release.`,
  fact: (mark) => `The order of ${mark} is paid`,
  note: (mark) => `We looked at ${mark} on the whiteboard`,
};

function toItem(kind: Kind, mark: string, lane: number): Item {
  const args = { text: textOf[kind](mark), kind, ...(kind === 'fact' && { about: subjectOf(lane) }) };
  return { kind, mark, args };
}

const rememberedOf = (answer: Json | undefined): readonly Remembered[] =>
  (answer?.['remembered'] ?? []) as readonly Remembered[];

function remember(items: readonly Item[]): Write<Kept> {
  const [only] = items;
  return {
    tool: 'remember',
    args: items.length === 1 ? { ...only!.args, namespace } : { items: items.map(({ args }) => args), namespace },
    after: new Map(items.map(({ mark, kind }) => [mark, kind])),
    isOneByOne: true,
    check(answer) {
      const remembered = rememberedOf(answer);
      const isNew = remembered.every(({ kind, known }, i) => kind === items[i]?.kind && known === undefined);
      return isNew && remembered.length === items.length && answer['failed'] === undefined;
    },
  };
}

type Page = Json & { readonly nextCursor?: string };

async function listRules(victim: Victim): Promise<readonly string[] | undefined> {
  const ids: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const args: Json = { state: 'all', limit: 50, ...(cursor !== '' && { cursor }) };
    const page: Page | undefined = await victim.call<Page>('instructions/proposals', args);
    if (page === undefined) return undefined;
    ids.push(...(page['items'] as readonly { id: string }[]).map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}

async function listNotes(victim: Victim): Promise<readonly string[] | undefined> {
  const filter = { namespaces: [namespace] };
  const listed = await victim.call<{ scratchpads: readonly { scratch_id: string }[] }>('scratch_list', filter);
  const pads = await Promise.all(
    (listed?.scratchpads ?? []).map(({ scratch_id }) =>
      victim.call<{ scratchpad: { cells: readonly { content: string }[] } }>('scratch_read', { scratch_id }),
    ),
  );
  if (listed === undefined || pads.includes(undefined)) return undefined;
  return pads.flatMap((pad) => pad!.scratchpad.cells.map(({ content }) => content));
}

async function listFacts(victim: Victim, lane: number): Promise<readonly string[] | undefined> {
  const identifier = subjectOf(lane);
  const found = await victim.call<{ entities: readonly Json[] }>('get_entity_by_identifier', { identifier });
  const entityId = found?.entities.find(({ match }) => match === undefined)?.['entity_id'];
  if (found === undefined || entityId === undefined) return found === undefined ? undefined : [];
  const texts: string[] = [];
  for (;;) {
    const args = { entity_id: entityId, limit: 1000, offset: texts.length };
    const page = await victim.call<{ observations: readonly { fields: Json }[] }>('list_observations', args);
    if (page === undefined) return undefined;
    texts.push(...page.observations.map(({ fields }) => String((fields['remembered'] as readonly string[])[0])));
    if (page.observations.length === 0) return texts;
  }
}

/** All remembered texts of the lanes, by their marks. */
async function readAll(victim: Victim): Promise<ReadonlyMap<string, Kept> | undefined> {
  const lanes = Array.from({ length: lanesCount }, (_, lane) => lane);
  const lists = await Promise.all([
    listRules(victim).then((texts) => ({ kind: 'rule', texts })),
    listNotes(victim).then((texts) => ({ kind: 'note', texts })),
    ...lanes.map((lane) => listFacts(victim, lane).then((texts) => ({ kind: 'fact', texts }))),
  ]);
  const kept = new Map<string, Kept>();
  for (const { kind, texts } of lists) {
    if (texts === undefined) return undefined;
    for (const text of texts) {
      const mark = markPattern.exec(text)?.[0];
      if (mark !== undefined) kept.set(mark, [...(kept.has(mark) ? [kept.get(mark)] : []), kind].join(', '));
    }
  }
  return kept;
}

/** Sends texts again: those that are stored must be known, and those of an interrupted call are stored now. */
async function resend(
  items: readonly Item[],
  victim: Victim,
  promises: AcknowledgedWrites<Kept>,
): Promise<readonly string[]> {
  const flaws: string[] = [];
  for (const { mark, kind, args } of items) {
    const isStored = promises.present(mark) !== undefined;
    const [answer] = rememberedOf(await victim.call('remember', { ...args, namespace }));
    if ((answer?.known === true) !== isStored) {
      flaws.push(`${mark} is ${isStored ? 'stored' : 'not stored'} and was answered ${JSON.stringify(answer)}`);
    }
    promises.ask(resender, new Map([[mark, kind]]));
    promises.acknowledge(resender);
  }
  return flaws;
}

/** `remember` with one item or several of all kinds; every text is new. */
export function createRememberedMemory(): Memory<Kept> {
  /** Every text that was ever sent, also in calls without an answer. */
  const sent: Item[] = [];

  function createLane(lane: number, _promises: AcknowledgedWrites<Kept>, { below, pick }: Dice) {
    let count = 0;
    const freshItem = (): Item => {
      count += 1;
      return toItem(pick(kinds)!, `m${lane}x${count}x${below(1_000_000)}`, lane);
    };
    return {
      next() {
        const items = Array.from({ length: below(2) === 0 ? 1 : 2 + below(itemsCount - 1) }, freshItem);
        sent.push(...items);
        return remember(items);
      },
    };
  }

  async function findFlaws({ victim, promises, round, isLast }: RestartContext<Kept>): Promise<readonly string[]> {
    const present = await readAll(victim);
    if (present === undefined) return [`the program ended before it answered: ${victim.said()}`];
    const flaws = [...promises.compare(present)];
    const interrupted = sent.filter(({ mark }) => promises.present(mark) === undefined);
    const some = createDice(round).pickSome(sent, isLast ? resentAtLastCount : resentCount);
    flaws.push(...(await resend([...new Set([...interrupted, ...some])], victim, promises)));
    const after = await readAll(victim);
    return [...flaws, ...promises.compare(after ?? new Map())];
  }

  return {
    textOf: (kept) => kept,
    createLane,
    firstRead: 'scratch_list',
    async warmUp(victim) {
      for (const kind of kinds) await victim.call('remember', toItem(kind, 'warm', -1).args);
      await readAll(victim);
    },
    findFlaws,
  };
}
