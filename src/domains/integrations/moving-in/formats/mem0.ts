import { isObject } from '#kernel/json/is-object.ts';
import {
  type CellItem,
  type FactItem,
  type MemoryFile,
  noMemories,
  type PadItem,
  type ParsedMemories,
  type ParseMemories,
  type SkippedPart,
  toId,
  toTime,
} from '../memory-item.ts';
import { type JsonObject, objectsOf, readJson, textOf, textsOf } from './json-lines.ts';

/** The Python and the TypeScript package spell these fields differently. */
const either = (value: JsonObject, a: string, b: string): unknown => value[a] ?? value[b];

/** Whom a memory is about. */
function ownerOf(memory: JsonObject): string {
  const names = [
    ['user', either(memory, 'user_id', 'userId')],
    ['agent', either(memory, 'agent_id', 'agentId')],
    ['run', either(memory, 'run_id', 'runId')],
  ] as const;
  const [kind, id] = names.find(([, value]) => textOf(value) !== undefined) ?? ['user', 'default'];
  return `${kind} ${String(id)}`;
}

function toCell(memory: JsonObject, source: string): CellItem | undefined {
  const [id, content] = [textOf(memory['id']), textOf(memory['memory'])];
  if (id === undefined || content === undefined) return undefined;
  return {
    cellId: toId(id),
    content,
    source,
    at: toTime(either(memory, 'created_at', 'createdAt')),
    tags: textsOf(memory['categories']),
  };
}

/** A graph store names things without their kind. */
const thing = (name: string) => ({ type: 'thing', name });

function toFact(relation: JsonObject, source: string): FactItem | undefined {
  const from = textOf(relation['source']);
  const type = textOf(either(relation, 'relationship', 'relation'));
  const to = textOf(either(relation, 'target', 'destination'));
  if (from === undefined || to === undefined || type === undefined) return undefined;
  return {
    key: `relation ${type} ${from} ${to}`,
    source,
    subject: thing(from),
    relations: [{ type, to: thing(to) }],
  };
}

function parseFile(file: MemoryFile, pads: Map<string, CellItem[]>): ParsedMemories {
  const value = readJson(file);
  const skip = (reason: string) => ({ ...noMemories, skipped: [{ source: file.path, reason }] });
  if (value === undefined) return skip('it is not JSON');
  const memories = Array.isArray(value) ? value : isObject(value) ? (value['results'] ?? value['memories']) : undefined;
  if (!Array.isArray(memories)) return skip('it has no list of memories: expected the answer of get_all as JSON');
  const skipped: SkippedPart[] = [];
  for (const [i, memory] of memories.entries()) {
    const source = `${file.path}, memory ${i + 1}`;
    const cell = isObject(memory) ? toCell(memory, source) : undefined;
    if (cell === undefined) skipped.push({ source, reason: 'it lacks id or memory' });
    else {
      const owner = ownerOf(memory as JsonObject);
      const cells = pads.get(owner);
      if (cells === undefined) pads.set(owner, [cell]);
      else cells.push(cell);
    }
  }
  const relations = objectsOf(isObject(value) ? value['relations'] : []);
  const facts = relations.flatMap((relation, i) => {
    const source = `${file.path}, relation ${i + 1}`;
    const fact = toFact(relation, source);
    if (fact === undefined) skipped.push({ source, reason: 'it lacks source, relationship or target' });
    return fact ?? [];
  });
  return { ...noMemories, facts, skipped };
}

/** The answer of `get_all` of mem0, saved as JSON. */
export const parseMem0: ParseMemories = (files) => {
  const byOwner = new Map<string, CellItem[]>();
  const parsed = files.map((file) => parseFile(file, byOwner));
  const pads = [...byOwner].map(
    ([owner, cells]): PadItem => ({ scratchId: `mem0-${toId(owner)}`, title: `mem0: ${owner}`, cells }),
  );
  return {
    facts: parsed.flatMap(({ facts }) => facts),
    pads,
    skipped: parsed.flatMap(({ skipped }) => skipped),
    leftOut: {},
  };
};
