/** JSON text may hold 1e999, which parses as Infinity and would be stored as null. */
export function isFiniteJson(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value !== 'object') return value !== undefined;
  if (depth === 0) return false;
  return Object.values(value).every((item) => isFiniteJson(item, depth - 1));
}
