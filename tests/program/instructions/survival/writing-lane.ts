import type { Json } from '../catalog-program.ts';
import type { Content, Contents, Promises } from './promises.ts';

/** One write: the call, what the catalog is to hold after it, and what its answer has to say. */
interface Write {
  readonly tool: string;
  readonly args: Json;
  readonly after: Contents;
  readonly answer: Json;
}

type Plan = (present: readonly string[], absent: readonly string[]) => Write | undefined;

const pickSome = (ids: readonly string[], count: number): readonly string[] =>
  ids
    .map((id) => ({ id, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ id }) => id);

export interface WritingLane {
  /** Undefined when the choice falls on something that cannot be done now. */
  next(): Write | undefined;
}

const idsCount = 6;
const importCount = 4;

/** Every kind of write over a few entries of its own, one after the other; each body and owner is told once only. */
export function createWritingLane(lane: number, promises: Promises): WritingLane {
  const ids = Array.from({ length: idsCount }, (_, i) => `lane-${lane}-${i}`);
  let count = 0;

  const fresh = (): Content => {
    count += 1;
    return { body: `Kept step ${lane} ${Math.random().toString(36).slice(2)} ${count}.`, owner: `owner-${count}` };
  };
  const toEntry = (id: string, { body, owner }: Content): Json => ({ id, body, owner });
  const several = (from: readonly string[]): readonly string[] => pickSome(from, 1 + Math.floor(Math.random() * 3));

  function add(id: string | undefined, overwrite: boolean): Write | undefined {
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
      const plan = plans[Math.floor(Math.random() * plans.length)];
      return plan?.(
        ids.filter(isThere),
        ids.filter((id) => !isThere(id)),
      );
    },
  };
}
