/** Whether a value contains more values than this. Stops counting there, so that the cost is small for any value. */
export function isLarge(value: unknown, valuesCount: number): boolean {
  let left = valuesCount;
  function visit(one: unknown): boolean {
    left -= 1;
    if (left < 0) return true;
    if (one === null || typeof one !== 'object') return false;
    if (Array.isArray(one)) return one.some(visit);
    for (const key in one) if (visit((one as Record<string, unknown>)[key])) return true;
    return false;
  }
  return visit(value);
}
