import { foldCase } from '#kernel/text/normalise.ts';
import type { InstructionEntry, Requirement, Tier } from '../entry-model.ts';

/** The nested filters of the document and the flat ones of 1.1, as one. Several conditions must all hold. */
export interface QueryFilters {
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
  /** Stands in title or body, in whatever case. */
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

/** What one filter asks of an entry. The order is that of their cost: the text comes last. */
const conditionOf: { readonly [K in keyof QueryFilters]-?: (wanted: NonNullable<QueryFilters[K]>) => Condition } = {
  priorityMin: (min) => (entry) => entry.priority >= min,
  priorityMax: (max) => (entry) => entry.priority <= max,
  priorityTiers: (tiers) => isOneOf('priorityTier', tiers),
  requirements: (requirements) => isOneOf('requirement', requirements),
  status: (statuses) => isOneOf('status', statuses),
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

/** One look at each entry, and at its text only when all else fits. */
export function filterEntries(
  entries: readonly InstructionEntry[],
  filters: QueryFilters,
): readonly InstructionEntry[] {
  const conditions: Condition[] = [];
  for (const key of Object.keys(conditionOf) as (keyof QueryFilters)[]) {
    const wanted = filters[key];
    if (wanted !== undefined) conditions.push((conditionOf[key] as (wanted: unknown) => Condition)(wanted));
  }
  if (conditions.length === 0) return entries;
  return entries.filter((entry) => conditions.every((holds) => holds(entry)));
}
