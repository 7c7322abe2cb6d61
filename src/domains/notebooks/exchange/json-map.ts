export type JsonMap = Readonly<Record<string, unknown>>;

export const isEmpty = (map: JsonMap): boolean => Object.keys(map).length === 0;

/** Preserves a key `__proto__`. */
export function without(map: JsonMap, ...keys: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

export const textList = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : [];
