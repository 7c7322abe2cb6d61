import { foldCase } from '#kernel/text/normalise.ts';
import { type InstructionEntry, type Requirement, statuses, type Tier } from '../entry-model.ts';
import { type ActivityFilter, type RuleActivity, toActivityConditions } from './activity-filter.ts';

export const sortFields = ['createdAt', 'updatedAt', 'priority', 'title', 'statusOwner'] as const;
export const sortDirections = ['asc', 'desc'] as const;

export interface Sort {
  readonly field: (typeof sortFields)[number];
  readonly direction: (typeof sortDirections)[number];
}

type SortValue = string | number;

/** The sort value and the id of the last entry on a page. */
export interface SortKey {
  readonly value: SortValue;
  readonly id: string;
}

function sortValueOf(entry: InstructionEntry, field: Sort['field']): SortValue {
  if (field === 'priority') return entry.priority;
  if (field === 'statusOwner') {
    return [statuses.indexOf(entry.status), foldCase(entry.owner), foldCase(entry.title)].join('\u0000');
  }
  // Parsed, because timestamps may have different offsets.
  return field === 'title' ? foldCase(entry.title) : Date.parse(entry[field]);
}

/** Without a sort, the order is by id. */
export const sortKeyOf = (entry: InstructionEntry, sort: Sort | undefined): SortKey =>
  sort === undefined ? { value: 0, id: entry.id } : { value: sortValueOf(entry, sort.field), id: entry.id };

const compare = (a: SortValue, b: SortValue): number => (a < b ? -1 : a > b ? 1 : 0);

/** By value in the given direction, then by id ascending, so that positions are unique. */
const compareKeys = (a: SortKey, b: SortKey, sign: number): number =>
  sign * compare(a.value, b.value) || compare(a.id, b.id);

/** Sorted entries after `after`. An entry that changed meanwhile is at its new position. */
export function sortEntries(
  entries: readonly InstructionEntry[],
  sort: Sort | undefined,
  after?: SortKey,
): readonly InstructionEntry[] {
  const sign = sort?.direction === 'desc' ? -1 : 1;
  const keyed = entries.map((entry) => ({ entry, key: sortKeyOf(entry, sort) }));
  const left = after === undefined ? keyed : keyed.filter(({ key }) => compareKeys(key, after, sign) > 0);
  if (sort !== undefined) left.sort((a, b) => compareKeys(a.key, b.key, sign));
  return left.map(({ entry }) => entry);
}

/** The nested filters and the flat ones of 1.1. All given conditions must hold. */
export interface QueryFilters extends ActivityFilter {
  /** Any of these. */
  readonly categories?: readonly string[] | undefined;
  readonly categoriesAny?: readonly string[] | undefined;
  readonly categoriesAll?: readonly string[] | undefined;
  readonly excludeCategories?: readonly string[] | undefined;
  readonly priorityMin?: number | undefined;
  readonly priorityMax?: number | undefined;
  readonly priorityTiers?: readonly Tier[] | undefined;
  readonly requirements?: readonly Requirement[] | undefined;
  readonly status?: readonly InstructionEntry['status'][] | undefined;
  readonly owners?: readonly string[] | undefined;
  readonly classification?: readonly InstructionEntry['classification'][] | undefined;
  readonly workspaceId?: string | undefined;
  readonly userId?: string | undefined;
  readonly teamIds?: readonly string[] | undefined;
  readonly createdAfter?: string | undefined;
  readonly updatedAfter?: string | undefined;
  /** In title or body; ignores case. */
  readonly text?: string | undefined;
}

type Condition = (entry: InstructionEntry) => boolean;

const folded = (values: readonly string[]): ReadonlySet<string> => new Set(values.map(foldCase));

const hasAny =
  (wanted: ReadonlySet<string>): Condition =>
  ({ categories }) =>
    categories.some((category) => wanted.has(category));

const isOneOf =
  <K extends 'priorityTier' | 'requirement' | 'status' | 'classification'>(
    key: K,
    wanted: readonly InstructionEntry[K][],
  ): Condition =>
  (entry) =>
    wanted.includes(entry[key]);

function isAfter(key: 'createdAt' | 'updatedAt', moment: string): Condition {
  const after = Date.parse(moment);
  return (entry) => Date.parse(entry[key]) > after;
}

function holdsText(text: string): Condition {
  const wanted = text.toLowerCase();
  return ({ title, body }) => title.toLowerCase().includes(wanted) || body.toLowerCase().includes(wanted);
}

type EntryFilter = Exclude<keyof QueryFilters, keyof ActivityFilter>;

/** Cheapest conditions first. */
const conditionFor: { readonly [K in EntryFilter]-?: (wanted: NonNullable<QueryFilters[K]>) => Condition } = {
  priorityMin: (min) => (entry) => entry.priority >= min,
  priorityMax: (max) => (entry) => entry.priority <= max,
  priorityTiers: (tiers) => isOneOf('priorityTier', tiers),
  requirements: (requirements) => isOneOf('requirement', requirements),
  status: (wanted) => isOneOf('status', wanted),
  classification: (classifications) => isOneOf('classification', classifications),
  workspaceId: (id) => (entry) => entry.workspaceId === id,
  userId: (id) => (entry) => entry.userId === id,
  teamIds: (ids) => (entry) => (entry.teamIds ?? []).some((team) => ids.includes(team)),
  owners(owners) {
    const wanted = folded(owners);
    return (entry) => wanted.has(foldCase(entry.owner));
  },
  categories: (names) => hasAny(folded(names)),
  categoriesAny: (names) => hasAny(folded(names)),
  categoriesAll(names) {
    const wanted = [...folded(names)];
    return ({ categories }) => wanted.every((category) => categories.includes(category));
  },
  excludeCategories(names) {
    const isUnwanted = hasAny(folded(names));
    return (entry) => !isUnwanted(entry);
  },
  createdAfter: (moment) => isAfter('createdAt', moment),
  updatedAfter: (moment) => isAfter('updatedAt', moment),
  text: holdsText,
};

export function filterEntries(
  entries: readonly InstructionEntry[],
  filters: QueryFilters,
  activity: RuleActivity,
): readonly InstructionEntry[] {
  const conditions: Condition[] = [];
  for (const key of Object.keys(conditionFor) as EntryFilter[]) {
    const wanted = filters[key];
    if (wanted !== undefined) conditions.push((conditionFor[key] as (wanted: unknown) => Condition)(wanted));
  }
  conditions.push(...toActivityConditions(filters, activity));
  if (conditions.length === 0) return entries;
  return entries.filter((entry) => conditions.every((holds) => holds(entry)));
}
