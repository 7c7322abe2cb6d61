import {
  type ItemWrite,
  type ItemWrites,
  type LoggedItem,
  type MemoryName,
  memoryOf,
  parts,
  type WriteRange,
} from '../memories.ts';
import type { Receipt, ReceiptItem, StoredReceipt } from './receipt.ts';

type FindWrites = (items: readonly LoggedItem[], range: WriteRange) => Promise<ItemWrites>;

/** An item that only one answer has, or that differs, with the write between the two that explains it. */
export interface Difference {
  readonly memory: MemoryName;
  readonly id: string;
  readonly write?: {
    readonly seq: number;
    readonly what: ItemWrite['what'];
    readonly at: string;
    readonly actor: string;
    readonly tool: string;
  };
  /** If the item itself was not written between the two answers. */
  readonly why?: string;
}

const partOf = (memory: MemoryName) => parts.find((part) => memoryOf[part] === memory)!;
const keyOf = ({ memory, id }: Pick<ReceiptItem, 'memory' | 'id'>): string => `${memory} ${id}`;
const toLogged = ({ memory, id, log_id = id }: ReceiptItem): LoggedItem => ({ part: partOf(memory), id: log_id });

const argumentNames = ['task', 'files', 'budget_tokens', 'memories', 'at', 'namespace'] as const;

const differingArguments = ({ arguments: a }: Receipt, { arguments: b }: Receipt) =>
  argumentNames
    .filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]))
    .map((name) => ({
      name,
      ...(a[name] !== undefined && { a: a[name] }),
      ...(b[name] !== undefined && { b: b[name] }),
    }));

/** Without a write of its own, an item comes or goes because of the others. */
function whyMoved(item: ReceiptItem, other: Receipt, hasOtherArguments: boolean): string {
  if (other.left_out_items.some((left) => keyOf(left) === keyOf(item)))
    return 'found in both, but did not fit into the budget';
  return hasOtherArguments
    ? 'the arguments differ'
    : 'not written between the two answers; the search ranked it otherwise';
}

export async function compareReceipts(a: StoredReceipt, b: StoredReceipt, findWrites: FindWrites) {
  const [inA, inB] = [a, b].map(({ items }) => new Map(items.map((item) => [keyOf(item), item])));
  const appeared = b.items.filter((item) => !inA!.has(keyOf(item)));
  const vanished = a.items.filter((item) => !inB!.has(keyOf(item)));
  const changed = b.items.filter((item) => {
    const before = inA!.get(keyOf(item));
    return before !== undefined && before.hash !== item.hash;
  });
  const differing = [...appeared, ...vanished, ...changed];
  const range = { after: Math.min(a.seq, b.seq), upTo: Math.max(a.seq, b.seq) };
  const { writes } = differing.length === 0 ? { writes: [] } : await findWrites(differing.map(toLogged), range);
  const writeOf = new Map(writes.map((write) => [`${write.part} ${write.id}`, write]));
  const differingArgs = differingArguments(a, b);

  const toDifference = (item: ReceiptItem, why: () => string): Difference => {
    const { part, id } = toLogged(item);
    const write = writeOf.get(`${part} ${id}`);
    const { memory } = item;
    if (write === undefined) return { memory, id: item.id, why: why() };
    const { seq, what, at, actor, tool } = write;
    return { memory, id: item.id, write: { seq, what, at: new Date(at).toISOString(), actor, tool } };
  };
  const moved = (other: Receipt) => (item: ReceiptItem) =>
    toDifference(item, () => whyMoved(item, other, differingArgs.length > 0));
  return {
    arguments: differingArgs,
    appeared: appeared.map(moved(a)),
    vanished: vanished.map(moved(b)),
    changed: changed.map((item) =>
      toDifference(
        item,
        () => 'not written between the two answers; another part of it matched, or its time has passed',
      ),
    ),
    unchanged_count: b.items.length - appeared.length - changed.length,
  };
}
