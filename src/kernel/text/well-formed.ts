/**
 * Where a value holds text that no store keeps as it is: a lone surrogate becomes U+FFFD on both engines, NUL is refused
 * by one and kept by the other. Answers the path of the first such string (keys count too), or undefined.
 */
export function findIllFormedText(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isKeepable(value) ? undefined : path || '/';
  if (value === null || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const found = findIllFormedText(value[i], `${path}/${i}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const key in value) {
    if (!isKeepable(key)) return path || '/';
    const found = findIllFormedText((value as Record<string, unknown>)[key], `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isKeepable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
