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
  count: number;
  /** The newest, each once. */
  readonly items: { readonly id: string; readonly name?: string }[];
}

export interface ChangeGroup extends Pick<ChangeLine, 'seq' | 'at' | 'actor' | 'actorName' | 'tool' | 'memory'> {
  /** The time of the oldest change; `at` and `seq` are those of the newest. */
  since: string;
  readonly parts: ChangePart[];
}

const shownItemsCount = 5;

/** One call can change items of several kinds, such as a document and its entities. */
const belongsTo = (group: ChangeGroup, { actor, tool, memory, at }: ChangeLine): boolean =>
  group.actor === actor && group.tool === tool && group.memory === memory && group.at.slice(0, 13) === at.slice(0, 13);

function addTo(group: ChangeGroup, { topic, what, id, name, at }: ChangeLine): void {
  let part = group.parts.find((one) => one.topic === topic && one.what === what);
  if (part === undefined) {
    part = { topic, what, count: 0, items: [] };
    group.parts.push(part);
  }
  part.count += 1;
  const isNew = part.items.length < shownItemsCount && !part.items.some((item) => item.id === id);
  if (isNew) part.items.push({ id, ...(name !== undefined && { name }) });
  group.since = at;
}

/** Changes that one actor made with one tool, without others in between and within an hour, become one line. */
export function groupChanges(rows: readonly ChangeLine[], groupsMax: number): readonly ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  for (const row of rows) {
    let group = groups.at(-1);
    if (group === undefined || !belongsTo(group, row)) {
      if (groups.length === groupsMax) break;
      const { seq, at, actor, actorName, tool, memory } = row;
      group = { seq, at, actor, actorName, tool, memory, since: at, parts: [] };
      groups.push(group);
    }
    addTo(group, row);
  }
  return groups;
}
