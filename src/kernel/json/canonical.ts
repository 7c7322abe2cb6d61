export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

interface HasToJson {
  toJSON(): unknown;
}

const hasToJson = (value: object): value is HasToJson => typeof (value as Partial<HasToJson>).toJSON === 'function';

/** JSON with sorted keys (code-unit order) at every depth and no blanks: equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  // `Array.from` also visits holes, which `map` would skip.
  if (Array.isArray(value)) return `[${Array.from(value, (item) => canonicalJson(item)).join(',')}]`;
  if (hasToJson(value)) return canonicalJson(value.toJSON());
  const record = value as Record<string, unknown>;
  const members = Object.keys(record)
    .sort()
    .filter((key) => record[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`);
  return `{${members.join(',')}}`;
}
