import { describe, expect, test } from 'vitest';
import { startChild } from './children/child.ts';

interface Told {
  readonly mostBytes: number;
  readonly isThrifty: boolean;
}

async function work(mode: 'bounded' | 'free'): Promise<Told> {
  const child = startChild(new URL('./children/young-space.ts', import.meta.url), mode);
  const lines: string[] = [];
  for await (const line of child.lines) lines.push(line);
  expect(await child.ended()).toBe(0);
  return JSON.parse(lines.join('')) as Told;
}

/** A bounded process takes less than half of it, with the turn in which it is noticed; a free one, more on every version of Node. */
const boundBytes = 26 * 1024 * 1024;

describe('the space of new objects', () => {
  test('stays small in a busy process that bounds it, which then favours memory over speed', async () => {
    const { mostBytes, isThrifty } = await work('bounded');
    expect(mostBytes).toBeLessThan(boundBytes);
    expect(isThrifty).toBe(true);
  });

  test('grows far beyond in one that does not', async () => {
    const { mostBytes, isThrifty } = await work('free');
    expect(mostBytes).toBeGreaterThan(boundBytes);
    expect(isThrifty).toBe(false);
  });
});
