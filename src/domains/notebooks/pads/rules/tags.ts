/** Each once, in the order of first appearance. */
export const uniteTags = (...lists: readonly (readonly string[] | undefined)[]): readonly string[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];

const none: readonly string[] = [];

/** A list of one's own, to be shown. */
export const toTagList = (text: string): string[] => (text === '[]' ? [] : (JSON.parse(text) as string[]));

/** Most pads and cells have no tags, and reading them costs nothing then. */
export const parseTags = (text: string): readonly string[] =>
  text === '[]' ? none : (JSON.parse(text) as readonly string[]);

export interface TagChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function compareTags(before: readonly string[], after: readonly string[]): TagChange {
  const had = new Set(before);
  const has = new Set(after);
  return { added: after.filter((tag) => !had.has(tag)), removed: before.filter((tag) => !has.has(tag)) };
}

export const sharesTag = (tags: readonly string[], wanted: ReadonlySet<string>): boolean =>
  tags.some((tag) => wanted.has(tag));
