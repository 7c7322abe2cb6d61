import type { PlaceName } from './places.ts';

interface ChangeLine {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly actorName: string;
  readonly tool: string;
  readonly memory: PlaceName;
  readonly topic: string;
  readonly id: string;
  readonly name?: string;
  readonly what: 'create' | 'update' | 'delete';
}

/** Items of one kind to which the same happened. */
interface ChangePart {
  readonly topic: string;
  readonly what: ChangeLine['what'];
  /** How many items: one that was changed twice counts once. */
  readonly count: number;
  /** The newest. */
  readonly items: readonly { readonly id: string; readonly name?: string }[];
}

export interface ChangeGroup extends Pick<ChangeLine, 'seq' | 'at' | 'actor' | 'actorName' | 'tool' | 'memory'> {
  /** The time of the oldest change; `at` and `seq` are those of the newest. */
  readonly since: string;
  readonly parts: readonly ChangePart[];
}

const shownItemsCount = 5;

/** One call can change items of several kinds, such as a document and its entities. */
const isOneGroup = (a: ChangeLine, b: ChangeLine): boolean =>
  a.actor === b.actor && a.tool === b.tool && a.memory === b.memory && a.at.slice(0, 13) === b.at.slice(0, 13);

/** What happened to an item is its oldest row: a new item that was changed afterwards is still new. */
function toParts(rows: readonly ChangeLine[]): readonly ChangePart[] {
  const oldest = new Map(rows.map((row) => [`${row.topic}\n${row.id}`, row.what]));
  const lasting = rows.map((row) => {
    const what = oldest.get(`${row.topic}\n${row.id}`);
    return row.what === 'update' && what === 'create' ? { ...row, what } : row;
  });
  const groups = Map.groupBy(lasting, ({ topic, what }) => `${what}\n${topic}`);
  return [...groups.values()].map((same) => {
    const items = new Map<string, ChangePart['items'][number]>();
    for (const { id, name } of same) {
      if (!items.has(id)) items.set(id, { id, ...(name !== undefined && { name }) });
    }
    const { topic, what } = same[0]!;
    return { topic, what, count: items.size, items: [...items.values()].slice(0, shownItemsCount) };
  });
}

function toGroup(rows: readonly ChangeLine[]): ChangeGroup {
  const { seq, at, actor, actorName, tool, memory } = rows[0]!;
  return { seq, at, actor, actorName, tool, memory, since: rows.at(-1)!.at, parts: toParts(rows) };
}

/** Changes that one actor made with one tool, without others in between and within an hour, become one line. */
export function groupChanges(rows: readonly ChangeLine[], groupsMax: number): readonly ChangeGroup[] {
  const groups: ChangeLine[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group !== undefined && isOneGroup(group[0]!, row)) group.push(row);
    else if (groups.length === groupsMax) break;
    else groups.push([row]);
  }
  return groups.map(toGroup);
}
