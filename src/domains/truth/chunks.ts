export const chunksOf = <T>(items: readonly T[], count: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / count) }, (_, i) => items.slice(i * count, (i + 1) * count));
