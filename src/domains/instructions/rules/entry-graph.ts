import type { InstructionEntry } from '../entry-model.ts';

export type FindEntry = (id: string) => InstructionEntry | undefined;

export interface Cycle {
  readonly field: 'supersedes' | 'dependencies';
  /** From the entry back to itself. */
  readonly ids: readonly string[];
}

/** Iterative, so that the depth is not limited. */
function findCycleFrom(start: string, next: (id: string) => readonly string[]): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const target of next(id)) {
      if (target === start) {
        const way = [start];
        for (let at: string | undefined = id; at !== undefined && at !== start; at = cameFrom.get(at)) way.push(at);
        return [...way, start].toReversed();
      }
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, id);
      open.push(target);
    }
  }
  return undefined;
}

export function findCycle(entry: InstructionEntry, find: FindEntry): Cycle | undefined {
  const at: FindEntry = (id) => (id === entry.id ? entry : find(id));
  if (entry.supersedes !== undefined) {
    const ids = findCycleFrom(entry.id, (id) => {
      const target = at(id)?.supersedes;
      return target === undefined ? [] : [target];
    });
    if (ids !== undefined) return { field: 'supersedes', ids };
  }
  if (entry.dependencies === undefined || entry.dependencies.length === 0) return undefined;
  const ids = findCycleFrom(entry.id, (id) => at(id)?.dependencies ?? []);
  return ids === undefined ? undefined : { field: 'dependencies', ids };
}

/** Entries that depend on these, directly or indirectly, in the order found. */
export function findDependents(entries: readonly InstructionEntry[], ids: readonly string[]): string[] {
  const dependents = new Map<string, string[]>();
  for (const { id, dependencies } of entries) {
    for (const target of dependencies ?? []) {
      const list = dependents.get(target);
      if (list === undefined) dependents.set(target, [id]);
      else list.push(id);
    }
  }
  const seen = new Set(ids);
  const found: string[] = [];
  const open = [...ids];
  for (let at = 0; at < open.length; at += 1) {
    for (const id of dependents.get(open[at] ?? '') ?? []) {
      if (seen.has(id)) continue;
      seen.add(id);
      found.push(id);
      open.push(id);
    }
  }
  return found;
}
