import type { Position } from './automaton.ts';
import { intersect } from './char-set.ts';

/** Two positions that read the same text in different ways, over and over. */
export interface Ambiguity {
  readonly a: Position;
  readonly b: Position;
}

/** How many steps a proof may take. Beyond it a pattern counts as ambiguous: it is not one for a quick look. */
const stepsMax = 500_000;

/** Positions that lie on a common cycle, each group with its members (Tarjan's components without the single ones). */
export function findCycles(positions: readonly Position[]): readonly ReadonlySet<number>[] {
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const onStack = new Set<number>();
  const cycles: Set<number>[] = [];

  function visit(node: number): void {
    order.set(node, order.size);
    low.set(node, order.get(node)!);
    stack.push(node);
    onStack.add(node);
    for (const next of positions[node]!.next.keys()) {
      if (!order.has(next)) visit(next);
      if (onStack.has(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) === order.get(node)) close(node);
  }

  function close(root: number): void {
    const members = new Set<number>();
    let node: number;
    do {
      node = stack.pop()!;
      onStack.delete(node);
      members.add(node);
    } while (node !== root);
    if (members.size > 1 || positions[root]!.next.has(root)) cycles.push(members);
  }

  for (let node = 0; node < positions.length; node += 1) if (!order.has(node)) visit(node);
  return cycles;
}

const reads = (positions: readonly Position[], ...nodes: readonly number[]): boolean =>
  nodes.map((node) => positions[node]!.set).reduce(intersect).length > 0;

const nextWithin = (positions: readonly Position[], node: number, allowed: ReadonlySet<number>): number[] =>
  [...positions[node]!.next.keys()].filter((next) => allowed.has(next));

/**
 * Exponential: from a position on a cycle, one text leads back to it in two ways. Found by walking two tokens over the
 * cycle: they start together, part, and can meet again.
 */
export function findDoubling(positions: readonly Position[], cycle: ReadonlySet<number>): Ambiguity | undefined {
  const width = positions.length;
  for (const node of cycle) {
    for (const [next, ways] of positions[node]!.next) {
      if (ways > 1 && cycle.has(next)) return { a: positions[node]!, b: positions[next]! };
    }
  }
  const cameFrom = new Map<number, number[]>();
  const queue = [...cycle].map((node) => node * width + node);
  const seen = new Set(queue);
  let steps = 0;
  for (const pair of queue) {
    const [a, b] = [Math.floor(pair / width), pair % width];
    for (const nextA of nextWithin(positions, a, cycle)) {
      for (const nextB of nextWithin(positions, b, cycle)) {
        steps += 1;
        if (steps > stepsMax) return { a: positions[a]!, b: positions[b]! };
        if (nextA !== nextB && !reads(positions, nextA, nextB)) continue;
        const next = nextA * width + nextB;
        const sources = cameFrom.get(next);
        if (sources === undefined) cameFrom.set(next, [pair]);
        else sources.push(pair);
        if (!seen.has(next)) queue.push(next);
        seen.add(next);
      }
    }
  }
  const meeting = [...cycle].map((node) => node * width + node);
  const canMeet = new Set(meeting);
  for (const pair of meeting) {
    for (const source of cameFrom.get(pair) ?? []) {
      if (canMeet.has(source)) continue;
      const [a, b] = [Math.floor(source / width), source % width];
      if (a !== b) return { a: positions[a]!, b: positions[b]! };
      canMeet.add(source);
      meeting.push(source);
    }
  }
  return undefined;
}

function reachable(positions: readonly Position[], from: ReadonlySet<number>): ReadonlySet<number> {
  const seen = new Set(from);
  for (const node of seen) for (const next of positions[node]!.next.keys()) seen.add(next);
  return seen;
}

/**
 * Polynomial: one text keeps a token on a first cycle, keeps another on a later cycle, and leads from the first to the
 * later. Found by walking three tokens: (p, p, q) to (p, q, q). A later cycle that goes through an end of the pattern
 * does not count: a search that comes there has matched.
 */
export function findSpreading(
  positions: readonly Position[],
  earlier: ReadonlySet<number>,
  later: ReadonlySet<number>,
): Ambiguity | undefined {
  const turning = new Set([...later].filter((node) => !positions[node]!.isFinal));
  const ahead = reachable(positions, earlier);
  if (![...turning].some((node) => ahead.has(node))) return undefined;
  let steps = 0;
  for (const p of earlier) {
    for (const q of turning) {
      const queue: (readonly [number, number, number])[] = [[p, p, q]];
      const seen = new Set<string>();
      for (const [x, y, z] of queue) {
        for (const nextX of nextWithin(positions, x, earlier)) {
          for (const nextZ of nextWithin(positions, z, turning)) {
            if (!reads(positions, nextX, nextZ)) continue;
            for (const nextY of nextWithin(positions, y, ahead)) {
              steps += 1;
              if (steps > stepsMax) return { a: positions[p]!, b: positions[q]! };
              const key = `${nextX},${nextY},${nextZ}`;
              if (seen.has(key) || !reads(positions, nextX, nextY, nextZ)) continue;
              if (nextX === p && nextY === q && nextZ === q) return { a: positions[p]!, b: positions[q]! };
              seen.add(key);
              queue.push([nextX, nextY, nextZ]);
            }
          }
        }
      }
    }
  }
  return undefined;
}
