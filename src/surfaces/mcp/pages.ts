import { cursorFix } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Page } from '#kernel/tool/resource.ts';

/** One list after the other, each with its own cursors. */
export type PageSource<T> = (cursor: string | undefined) => Promise<Page<T>>;

const encode = (place: number, inner: string | undefined): string =>
  Buffer.from(JSON.stringify(inner === undefined ? [place] : [place, inner])).toString('base64url');

function decode(cursor: string | undefined, count: number): readonly [number, string | undefined] {
  if (cursor === undefined) return [0, undefined];
  try {
    const [place, inner] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as readonly unknown[];
    const isPlace = Number.isInteger(place) && (place as number) >= 0 && (place as number) < count;
    if (isPlace && (inner === undefined || typeof inner === 'string')) return [place as number, inner];
  } catch {
    // Not a cursor of ours.
  }
  throw faults.INVALID_PARAMS({ why: 'the cursor is not from this list' }, { fix: cursorFix });
}

/** Joins lists into one. An empty list makes no empty page, unless it is the last. */
export async function pageAcross<T>(sources: readonly PageSource<T>[], cursor: string | undefined): Promise<Page<T>> {
  let [place, inner] = decode(cursor, sources.length);
  for (; place < sources.length; place += 1, inner = undefined) {
    const page = await sources[place]!(inner);
    if (page.nextCursor !== undefined) return { items: page.items, nextCursor: encode(place, page.nextCursor) };
    if (page.items.length === 0) continue;
    return place + 1 < sources.length ? { items: page.items, nextCursor: encode(place + 1, undefined) } : page;
  }
  return { items: [] };
}
