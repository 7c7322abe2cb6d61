import type { PipeClient } from './pipe-client.ts';
import type { Row } from './table.ts';

export interface Spread {
  readonly p50: number;
  readonly p95: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export function spreadOf(found: readonly number[]): Spread {
  const sorted = found.toSorted((a, b) => a - b);
  return { p50: at(sorted, 0.5), p95: at(sorted, 0.95) };
}

/** A failed call would be fast and misleading. */
export function check(line: string): string {
  if (line.includes('"isError":true') || line.includes('"error":{')) throw new Error(line.slice(0, 500));
  return line;
}

type Line = (n: number) => string;

async function askTimed(client: PipeClient, text: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await client.ask(text);
  const ms = performance.now() - startedAt;
  check(answer);
  return ms;
}

const warmCount = (count: number): number => Math.max(10, count >> 2);

/** Sequential calls, without counting the first few. */
export async function times(client: PipeClient, count: number, line: Line): Promise<Spread> {
  const found: number[] = [];
  const warm = warmCount(count);
  for (let n = 0; n < warm + count; n += 1) {
    const ms = await askTimed(client, line(n));
    if (n >= warm) found.push(ms);
  }
  return spreadOf(found);
}

/**
 * Alternates a call and its baseline. Depending on their cores, two processes talk up to three times faster in one
 * minute than in the next, so only values measured together can be compared. The baseline may be another program's.
 */
export async function timesAgainst(
  client: PipeClient,
  count: number,
  line: Line,
  floor: Line,
  floorClient: PipeClient = client,
): Promise<{ readonly value: Spread; readonly floor: Spread }> {
  const found: number[] = [];
  const floors: number[] = [];
  const warm = warmCount(count);
  for (let n = 0; n < warm + count; n += 1) {
    const floorMs = await askTimed(floorClient, floor(n));
    const ms = await askTimed(client, line(n));
    if (n < warm) continue;
    floors.push(floorMs);
    found.push(ms);
  }
  return { value: spreadOf(found), floor: spreadOf(floors) };
}

export const below = (what: string, value: number, unit: string, bar: number): Row => ({
  what,
  value,
  unit,
  bar: `< ${bar}`,
  isMet: value < bar,
});

/** Compared with a baseline of the same run. */
export const within = (what: string, value: number, floor: number, most: number): Row => ({
  what,
  value,
  unit: 'ms',
  baseline: floor,
  ratio: value / floor,
  bar: `<= ${most.toFixed(2)}`,
  isMet: value / floor <= most,
});
