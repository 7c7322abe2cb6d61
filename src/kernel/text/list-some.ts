const shownCount = 10;

/** The first items in one line, and how many more there are. `total`: if these are not all. */
export function listSome(items: readonly string[], total = items.length): string {
  const shown = items.slice(0, shownCount);
  const more = total > shown.length ? ` and ${total - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}
