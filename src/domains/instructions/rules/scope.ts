import { foldCase } from '#kernel/text/normalise.ts';
import type { InstructionEntry } from '../entry-model.ts';

export interface ScopeSelector {
  readonly userId?: string | undefined;
  readonly workspaceId?: string | undefined;
  readonly teamIds?: readonly string[] | undefined;
}

export type ScopeName = 'user' | 'workspace' | 'team' | 'all';

type Scoped = Pick<InstructionEntry, 'userId' | 'workspaceId' | 'teamIds' | 'audience'>;

const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && foldCase(a) === foldCase(b);

const sharesTeam = (entry: Scoped, teams: ReadonlySet<string>): boolean =>
  (entry.teamIds ?? []).some((team) => teams.has(foldCase(team)));

const toTeams = ({ teamIds }: ScopeSelector): ReadonlySet<string> => new Set((teamIds ?? []).map(foldCase));

export const isUnscoped = ({ userId, workspaceId, teamIds }: Scoped): boolean =>
  userId === undefined && workspaceId === undefined && (teamIds ?? []).length === 0;

/**
 * Entries of the first scope that has any: user, workspace, team; otherwise unscoped entries for the audience `all`. A
 * scoped entry is never for all, whatever its audience says, because `audience` has a default.
 */
export function pickScope<E extends Scoped>(
  entries: readonly E[],
  wanted: ScopeSelector,
): { readonly scope: ScopeName; readonly entries: readonly E[] } {
  const teams = toTeams(wanted);
  const narrow: readonly (readonly [ScopeName, boolean, (entry: E) => boolean])[] = [
    ['user', wanted.userId !== undefined, (entry) => isSame(entry.userId, wanted.userId)],
    ['workspace', wanted.workspaceId !== undefined, (entry) => isSame(entry.workspaceId, wanted.workspaceId)],
    ['team', teams.size > 0, (entry) => sharesTeam(entry, teams)],
  ];
  for (const [scope, isAsked, fits] of narrow) {
    const found = isAsked ? entries.filter(fits) : [];
    if (found.length > 0) return { scope, entries: found };
  }
  return { scope: 'all', entries: entries.filter((entry) => entry.audience === 'all' && isUnscoped(entry)) };
}

/** Every scope that the entry names must match. */
export function isInScope(entry: Scoped, wanted: ScopeSelector): boolean {
  if (entry.userId !== undefined && !isSame(entry.userId, wanted.userId)) return false;
  if (entry.workspaceId !== undefined && !isSame(entry.workspaceId, wanted.workspaceId)) return false;
  return (entry.teamIds ?? []).length === 0 || sharesTeam(entry, toTeams(wanted));
}
