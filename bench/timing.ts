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

/** A failure would be fast, and a lie. */
export function check(line: string): string {
  if (line.includes('"isError":true') || line.includes('"error":{')) throw new Error(line.slice(0, 500));
  return line;
}

/** One call after the other, the first few of them not counted. */
export async function times(client: PipeClient, count: number, line: (n: number) => string): Promise<Spread> {
  const found: number[] = [];
  const warm = Math.max(10, count >> 2);
  for (let n = 0; n < warm + count; n += 1) {
    const text = line(n);
    const startedAt = performance.now();
    const answer = await client.ask(text);
    const ms = performance.now() - startedAt;
    check(answer);
    if (n >= warm) found.push(ms);
  }
  return spreadOf(found);
}

export const below = (what: string, value: number, unit: string, bar: number): Row => ({
  what,
  value,
  unit,
  bar: `< ${bar}`,
  isMet: value < bar,
});

/** Beside a floor of the same run. */
export const within = (what: string, value: number, floor: number, most: number): Row => ({
  what,
  value,
  unit: 'ms',
  floor,
  ratio: value / floor,
  bar: `<= ${most.toFixed(2)}`,
  isMet: value / floor <= most,
});
