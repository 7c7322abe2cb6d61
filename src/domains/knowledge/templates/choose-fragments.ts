import type { TemplateFragment } from '../base/entry.ts';
import type { TemplateChoice } from './template-choice.ts';

const hasOrLacks = <T>(allowed: readonly T[] | undefined, wanted: T) =>
  allowed === undefined || allowed.includes(wanted);

const fits =
  ({ database, auth, typescript, version }: TemplateChoice) =>
  (fragment: TemplateFragment): boolean =>
    (fragment.version === 'both' || fragment.version === version) &&
    hasOrLacks(fragment.databases, database) &&
    hasOrLacks(fragment.languages, typescript ? 'typescript' : 'javascript') &&
    (fragment.auth === undefined || fragment.auth === auth);

/** What has to stand before goes before, else by name. A fragment that lacks one of those, or is in a ring, is left out. */
function inOrder(fragments: readonly TemplateFragment[]): readonly TemplateFragment[] {
  const placed = new Map<string, TemplateFragment>();
  let waiting = fragments.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (;;) {
    const next = waiting.find(({ requires }) => requires.every((id) => placed.has(id)));
    if (next === undefined) return [...placed.values()];
    placed.set(next.id, next);
    waiting = waiting.filter(({ id }) => id !== next.id);
  }
}

/** In the order in which they are put together; none where what was asked for is not covered. */
export function chooseFragments(all: readonly TemplateFragment[], choice: TemplateChoice): readonly TemplateFragment[] {
  const chosen = inOrder(all.filter(fits(choice)));
  // One for both versions is only a part of what covers the database or the login.
  const own = chosen.filter(({ version }) => version === choice.version);
  const hasDatabase = own.some(({ databases }) => databases?.includes(choice.database));
  const hasAuth = !choice.auth || own.some(({ auth }) => auth === true);
  return hasDatabase && hasAuth ? chosen : [];
}
