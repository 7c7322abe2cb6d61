const scopeToken = /^scope:(workspace|user|team):(.+)$/i;

const isSortedAndPlain = (list: readonly string[]): boolean =>
  list.every(
    (name, at) =>
      name !== '' &&
      name === name.trim().toLowerCase() &&
      (at === 0 || (list[at - 1] ?? '') < name) &&
      !name.startsWith('scope:'),
  );

/** Older formats stored a scope as a category. */
export const isScopeToken = (category: string): boolean => scopeToken.test(category.trim());

/**
 * Lower case, unique, in code-unit order, except that `primary` comes first if it is among them. `scope:*` tokens become
 * scopes; the first of a kind wins.
 */
export function normaliseCategories(list: readonly string[], primary?: string) {
  // Fast path: nearly all stored entries are normalised already.
  if (primary === undefined && isSortedAndPlain(list)) return { categories: [...list], scopes: {} };
  const categories = new Set<string>();
  const teamIds = new Set<string>();
  let workspaceId: string | undefined;
  let userId: string | undefined;
  for (const given of list) {
    const name = given.trim();
    const token = scopeToken.exec(name);
    const value = token?.[2]?.trim();
    if (token === null || value === undefined || value === '') {
      if (name !== '') categories.add(name.toLowerCase());
      continue;
    }
    const kind = token[1]?.toLowerCase();
    if (kind === 'workspace') workspaceId ??= value;
    else if (kind === 'user') userId ??= value;
    else teamIds.add(value);
  }
  const first = primary?.trim().toLowerCase() ?? '';
  const head = categories.delete(first) ? [first] : [];
  return {
    categories: [...head, ...[...categories].sort()],
    scopes: {
      ...(workspaceId !== undefined && { workspaceId }),
      ...(userId !== undefined && { userId }),
      ...(teamIds.size > 0 && { teamIds: [...teamIds] }),
    },
  };
}
