import type { FactItem, NamedThing, ParsedMemories, ParseMemories, SkippedPart } from '../memory-item.ts';
import { type JsonLine, readJsonLines, textOf, textsOf } from './json-lines.ts';

function toEntity({ value, source }: JsonLine): FactItem | undefined {
  const [name, type] = [textOf(value['name']), textOf(value['entityType'])];
  if (name === undefined || type === undefined) return undefined;
  const observations = textsOf(value['observations']);
  return {
    key: `entity ${type} ${name}`,
    source,
    subject: { type, name },
    ...(observations.length > 0 && { fields: { observations } }),
  };
}

function toRelation({ value, source }: JsonLine, byName: ReadonlyMap<string, NamedThing>): FactItem | string {
  const [from, to, type] = [textOf(value['from']), textOf(value['to']), textOf(value['relationType'])];
  if (from === undefined || to === undefined || type === undefined) return 'it lacks from, to or relationType';
  const [subject, target] = [byName.get(from), byName.get(to)];
  if (subject === undefined) return `no entity is called ${from}`;
  if (target === undefined) return `no entity is called ${to}`;
  return { key: `relation ${type} ${from} ${to}`, source, subject, relations: [{ type, to: target }] };
}

/** The file of `@modelcontextprotocol/server-memory`: one entity or relation per line. */
export const parseServerMemory: ParseMemories = (files): ParsedMemories => {
  const read = files.map(readJsonLines);
  const lines = read.flatMap((one) => one.lines);
  const skipped: SkippedPart[] = read.flatMap((one) => one.skipped);
  const facts: FactItem[] = [];
  const byName = new Map<string, NamedThing>();
  for (const line of lines.filter(({ value }) => value['type'] === 'entity')) {
    const fact = toEntity(line);
    if (fact === undefined) skipped.push({ source: line.source, reason: 'it lacks name or entityType' });
    else {
      facts.push(fact);
      byName.set(fact.subject.name, fact.subject);
    }
  }
  // Relations come after all entities, whose types they need.
  for (const line of lines.filter(({ value }) => value['type'] !== 'entity')) {
    const fact =
      line.value['type'] === 'relation' ? toRelation(line, byName) : 'it is neither an entity nor a relation';
    if (typeof fact === 'string') skipped.push({ source: line.source, reason: fact });
    else facts.push(fact);
  }
  return { facts, pads: [], skipped, leftOut: {} };
};
