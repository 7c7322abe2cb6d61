import { describe, expect, it } from 'vitest';
import { tokenOf, walkOn } from './newest-first.ts';

/** Reads a list in pages of two, and returns how many pages that took. */
function walk(list: readonly string[], start?: string) {
  let place = start;
  for (let pages = 1; ; pages += 1) {
    const from = Number(tokenOf(place) ?? 0);
    const next = from + 2 < list.length ? String(from + 2) : undefined;
    const step = walkOn(place, { ids: list.slice(from, from + 2), next });
    place = step.place;
    if (!step.hasMore) return { pages, place };
  }
}

describe('a walk from the newest entry', () => {
  const list = ['i', 'h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'];

  it('reads everything the first time, and then only to the known entries', () => {
    const first = walk(list);
    expect(first.pages).toBe(5);
    const second = walk(list, first.place);
    expect(second.pages).toBe(2);
    expect(walk(['m', 'l', 'k', 'j', ...list], second.place).pages).toBe(4);
  });

  it('does not stop at an entry that was removed and added again', () => {
    const { place } = walk(list);
    const moved = ['i', 'p', 'o', 'n', 'm', 'l', 'k', 'j', 'h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'];
    expect(walk(moved, place).pages).toBe(5);
  });

  it('reads a short list, or one whose known entries are gone, to its end', () => {
    expect(walk(['b', 'a'], walk(['a']).place).pages).toBe(1);
    expect(walk(list, walk(['z', 'y', 'x', 'w', 'v']).place).pages).toBe(5);
    expect(walk([], walk(list).place).pages).toBe(1);
  });
});
