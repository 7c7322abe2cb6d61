import type { AcknowledgedWrites } from '#tests/support/survival/acknowledged-writes.ts';
import type { Json } from '#tests/support/survival/conversation.ts';
import type { Dice } from '#tests/support/survival/dice.ts';
import type { Write, WritingLane } from '#tests/support/survival/kill-rounds.ts';

/** The compared fields of an entry: every write changes them. */
export interface Content {
  readonly body: string;
  readonly owner: string;
}

export const contentText = ({ body, owner }: Content): string => `${body} of ${owner}`;

type PlannedWrite = Omit<Write<Content>, 'check'> & { readonly answer: Json };
type Plan = (present: readonly string[], absent: readonly string[]) => PlannedWrite | undefined;

const isSaid = (answer: Json, expected: Json): boolean =>
  Object.entries(expected).every(([key, value]) => JSON.stringify(answer[key]) === JSON.stringify(value));

const idsCount = 6;
const importCount = 4;

/** All kinds of writes over a few own entries, in sequence; every body and owner is unique. */
export function createWritingLane(
  lane: number,
  promises: AcknowledgedWrites<Content>,
  dice: Dice,
): WritingLane<Content> {
  const { pickSome } = dice;
  const ids = Array.from({ length: idsCount }, (_, i) => `lane-${lane}-${i}`);
  let count = 0;

  const fresh = (): Content => {
    count += 1;
    return { body: `Kept step ${lane} ${dice.below(1_000_000)} ${count}.`, owner: `owner-${count}` };
  };
  const toEntry = (id: string, { body, owner }: Content): Json => ({ id, body, owner });
  const several = (from: readonly string[]): readonly string[] => pickSome(from, 1 + dice.below(3));

  function add(id: string | undefined, overwrite: boolean): PlannedWrite | undefined {
    if (id === undefined) return undefined;
    const content = fresh();
    return {
      tool: 'instructions/add',
      args: { entry: toEntry(id, content), lax: true, overwrite },
      after: new Map([[id, content]]),
      answer: { created: !overwrite, overwritten: overwrite, verified: true },
    };
  }

  const plans: readonly Plan[] = [
    (_present, absent) => add(pickSome(absent, 1)[0], false),
    (present) => add(pickSome(present, 1)[0], true),
    (present) => {
      const after = new Map(pickSome(ids, importCount).map((id) => [id, fresh()] as const));
      const overwritten = present.filter((id) => after.has(id)).length;
      return {
        tool: 'instructions/import',
        args: { entries: [...after].map(([id, content]) => toEntry(id, content)), mode: 'overwrite' },
        after,
        answer: { imported: importCount - overwritten, overwritten, errors: [] },
      };
    },
    (present) => {
      const gone = several(present);
      return gone.length === 0
        ? undefined
        : {
            tool: 'instructions/remove',
            args: { ids: gone },
            after: new Map(gone.map((id) => [id, undefined])),
            answer: { removed: gone.length, missing: [], errors: [] },
          };
    },
    (_present, absent) => {
      const back = several(absent.filter((id) => promises.archived(id) !== undefined));
      return back.length === 0
        ? undefined
        : {
            tool: 'instructions/restore',
            args: { ids: back },
            after: new Map(back.map((id) => [id, promises.archived(id)])),
            answer: { restored: back.length, missing: [] },
          };
    },
    (present) => {
      const [id] = pickSome(present, 1);
      const content = id === undefined ? undefined : promises.present(id);
      if (id === undefined || content === undefined) return undefined;
      const { owner } = fresh();
      return {
        tool: 'instructions/governanceUpdate',
        args: { id, patch: { owner }, bump: 'minor' },
        after: new Map([[id, { ...content, owner }]]),
        answer: { id, changed: true },
      };
    },
  ];

  return {
    next() {
      const isThere = (id: string): boolean => promises.present(id) !== undefined;
      const planned = dice.pick(plans)?.(
        ids.filter(isThere),
        ids.filter((id) => !isThere(id)),
      );
      if (planned === undefined) return undefined;
      const { answer: expected, ...write } = planned;
      return { ...write, check: (answer) => isSaid(answer, expected) };
    },
  };
}
