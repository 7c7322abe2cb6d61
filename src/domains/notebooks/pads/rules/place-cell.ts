/** Where the neighbours of a moved cell go: those from one index up to another, the last included, by one place. */
export interface Shift {
  readonly from: number;
  readonly to: number;
  readonly by: 1 | -1;
}

export function toShift(index: number, newIndex: number): Shift | undefined {
  if (newIndex === index) return undefined;
  return newIndex < index ? { from: newIndex, to: index - 1, by: 1 } : { from: index + 1, to: newIndex, by: -1 };
}

/** The same move on a list. */
export const moveItem = <T>(items: readonly T[], index: number, newIndex: number): readonly T[] => {
  const rest = items.toSpliced(index, 1);
  return rest.toSpliced(newIndex, 0, items[index]!);
};
