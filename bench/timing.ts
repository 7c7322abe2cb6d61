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

/** A failed call would be fast and distort the result. */
export function check(line: string): string {
  const { error, result } = JSON.parse(line) as { readonly error?: unknown; readonly result?: { isError?: boolean } };
  if (error !== undefined || result?.isError === true) throw new Error(line.slice(0, 500));
  return line;
}

export type Line = (n: number) => string;

async function askTimed(client: PipeClient, text: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await client.ask(text);
  const ms = performance.now() - startedAt;
  check(answer);
  return ms;
}

const warmCount = (count: number): number => Math.max(10, count >> 2);
/** How many calls are made to measure this many. */
export const callsWith = (count: number): number => warmCount(count) + count;

/** Sequential calls; the first few are not counted. */
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
 * Alternates a call and its baseline. The speed of two communicating processes varies threefold from one minute to the
 * next, depending on the cores they run on, so only values of the same moment are comparable. The baseline may be
 * another program.
 */
export async function timesWithBaseline(
  client: PipeClient,
  count: number,
  line: Line,
  baseline: Line,
  baselineClient: PipeClient = client,
): Promise<{ readonly value: Spread; readonly baseline: Spread }> {
  const found: number[] = [];
  const baselines: number[] = [];
  const warm = warmCount(count);
  for (let n = 0; n < warm + count; n += 1) {
    const baselineMs = await askTimed(baselineClient, baseline(n));
    const ms = await askTimed(client, line(n));
    if (n < warm) continue;
    baselines.push(baselineMs);
    found.push(ms);
  }
  return { value: spreadOf(found), baseline: spreadOf(baselines) };
}

export const below = (what: string, value: number, unit: string, bar: number): Row => ({
  what,
  value,
  unit,
  bar: `< ${bar}`,
  isMet: value < bar,
});

/** Compared with a baseline of the same run. */
export const within = (what: string, value: number, baseline: number, most: number): Row => ({
  what,
  value,
  unit: 'ms',
  baseline,
  ratio: value / baseline,
  bar: `<= ${most.toFixed(2)}`,
  isMet: value / baseline <= most,
});
