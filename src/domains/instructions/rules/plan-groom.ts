import { canonicalJson } from '#kernel/json/canonical.ts';
import {
  type AppliesTo,
  type Conditions,
  conditions,
  type InstructionEntry,
  type Requirement,
} from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { isScopeToken, normaliseCategories } from './categories.ts';
import { completeEntry, unowned } from './complete-entry.ts';
import { canonicalise, riskOf, sourceHashOf } from './derived-fields.ts';
import { primaryCategoryOf } from './map-entry.ts';

export interface GroomMode {
  readonly mergeDuplicates: boolean;
  readonly removeDeprecated: boolean;
  readonly normalizeCategories: boolean;
  readonly purgeLegacyScopes: boolean;
  readonly updateHashes: boolean;
}

/** A served entry, with its stored categories where they differ. */
export interface GroomItem {
  readonly entry: InstructionEntry;
  readonly storedCategories?: readonly string[];
  /** A stored hash differs from the served one. */
  readonly hasStaleHash?: boolean;
}

export interface GroomPlan {
  /** By id; null moves the entry to the archive. */
  readonly changes: ReadonlyMap<string, InstructionEntry | null>;
  readonly repairedHashes: number;
  readonly normalizedCategories: number;
  readonly purgedScopes: number;
  readonly duplicatesMerged: number;
  readonly deprecatedRemoved: number;
  readonly notes: readonly string[];
}

export interface GroomContext {
  readonly now: string;
  readonly canonicalOff: boolean;
}

const isDeprecated = (entry: InstructionEntry): boolean =>
  entry.status === 'deprecated' || entry.requirement === 'deprecated';

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, at) => item === b[at]);

/** Entries are duplicates only within one scope, audience and status (docs/decisions/0005). */
const duplicateKey = (entry: InstructionEntry, hash: string): string =>
  JSON.stringify([
    hash,
    entry.userId ?? '',
    entry.workspaceId ?? '',
    entry.teamIds?.toSorted() ?? [],
    entry.audience,
    entry.status,
  ]);

const byAge = (a: InstructionEntry, b: InstructionEntry): number =>
  Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.id < b.id ? -1 : 1);

const rewrite = (
  entry: InstructionEntry,
  patch: Partial<InstructionEntry>,
  { now, canonicalOff }: GroomContext,
): InstructionEntry => completeEntry({ ...entry, ...patch }, { now, canonicalOff, existing: entry });

const stricter = (a: Requirement, b: Requirement): Requirement => (riskOf(50, b) > riskOf(50, a) ? b : a);

const conditionKinds = Object.keys(conditions.shape) as readonly (keyof Conditions)[];

/**
 * The merged entry applies wherever one of them applied. One list of groups cannot express two different conjunctions, so
 * their conditions are then enough one by one.
 */
function uniteTriggers(all: readonly InstructionEntry[]): AppliesTo | undefined {
  const given = all.flatMap(({ appliesTo }) => appliesTo ?? []);
  const conjunctions = given.flatMap(({ all: groups = [] }) => (groups.length === 0 ? [] : [groups]));
  const isOne = new Set(conjunctions.map((groups) => canonicalJson(groups))).size === 1;
  const united: AppliesTo = {};
  for (const kind of conditionKinds) {
    const sources: readonly Conditions[] = isOne ? given : [...given, ...conjunctions.flat()];
    const words = [...new Set(sources.flatMap((triggers) => triggers[kind] ?? []))];
    if (words.length > 0) united[kind] = words.slice(0, instructionLimits.listFieldCount);
  }
  if (given.some(({ always }) => always === true)) united.always = true;
  if (isOne) united.all = conjunctions[0];
  return given.length === 0 ? undefined : united;
}

/**
 * The merged entry takes the lowest priority value and the strictest requirement, which together give the highest risk,
 * and an owner if any of them has one.
 */
function mergeInto(primary: InstructionEntry, others: readonly InstructionEntry[], context: GroomContext) {
  const all = [primary, ...others];
  const { categories } = normaliseCategories(
    all.flatMap((entry) => entry.categories),
    primaryCategoryOf(primary),
  );
  return rewrite(
    primary,
    {
      categories: categories.slice(0, instructionLimits.categoriesCount),
      priority: Math.min(...all.map(({ priority }) => priority)),
      requirement: all.map(({ requirement }) => requirement).reduce(stricter),
      owner: all.find(({ owner }) => owner !== unowned)?.owner ?? unowned,
      appliesTo: uniteTriggers(all),
    },
    context,
  );
}

/** Whether an active replacement exists, so that two entries that deprecate each other are not both removed. */
function isReplaced(entry: InstructionEntry, find: (id: string) => InstructionEntry | undefined): boolean {
  const seen = new Set([entry.id]);
  let id = entry.deprecatedBy;
  while (id !== undefined && !seen.has(id)) {
    seen.add(id);
    const target = find(id);
    if (target === undefined) return false;
    if (!isDeprecated(target)) return true;
    id = target.deprecatedBy;
  }
  return false;
}

/** Plans the changes without making them. Yields after each entry, so that the caller can yield to the event loop. */
export function* groomSteps(
  items: readonly GroomItem[],
  mode: GroomMode,
  context: GroomContext,
): Generator<undefined, GroomPlan> {
  const changes = new Map<string, InstructionEntry | null>();
  const originals = new Map(items.map(({ entry }) => [entry.id, entry]));
  const current = (id: string) => changes.get(id) ?? originals.get(id);
  const notes: string[] = [];
  let repairedHashes = 0;
  let normalizedCategories = 0;
  let purgedScopes = 0;
  let duplicatesMerged = 0;
  let deprecatedRemoved = 0;

  const groups = new Map<string, InstructionEntry[]>();
  /** The first id of each group, by body hash: several groups with one body are not merged. */
  const keptApart = new Map<string, string[]>();
  for (const { entry, storedCategories = entry.categories, hasStaleHash = false } of items) {
    yield undefined;
    const hash = sourceHashOf(canonicalise(entry.body, context.canonicalOff));
    const isHashWrong = mode.updateHashes && (hasStaleHash || hash !== entry.sourceHash);
    const topical = storedCategories.filter((name) => !isScopeToken(name));
    const { categories: tidy } = normaliseCategories(topical, primaryCategoryOf(entry));
    const isUntidy = mode.normalizeCategories && !isSameList(topical, tidy);
    const tokens = mode.purgeLegacyScopes ? storedCategories.length - topical.length : 0;
    if (isHashWrong) repairedHashes += 1;
    if (isUntidy) normalizedCategories += 1;
    purgedScopes += tokens;
    if (isHashWrong || isUntidy || tokens > 0) changes.set(entry.id, rewrite(entry, {}, context));
    if (!mode.mergeDuplicates || isDeprecated(entry)) continue;
    const key = duplicateKey(entry, hash);
    const group = groups.get(key);
    if (group !== undefined) group.push(entry);
    else {
      groups.set(key, [entry]);
      keptApart.set(hash, [...(keptApart.get(hash) ?? []), entry.id]);
    }
  }

  for (const group of groups.values()) {
    yield undefined;
    if (group.length < 2) continue;
    const [primary, ...others] = group.toSorted(byAge);
    if (primary === undefined) continue;
    changes.set(primary.id, mergeInto(primary, others, context));
    for (const other of others) {
      const patch = { status: 'deprecated', requirement: 'deprecated', deprecatedBy: primary.id } as const;
      changes.set(other.id, rewrite(other, patch, context));
      duplicatesMerged += 1;
    }
    if (notes.length < 100) notes.push(`merged:${primary.id}:${others.length}`);
  }

  for (const [first, ...others] of keptApart.values()) {
    if (others.length > 0 && notes.length < 100) notes.push(`kept-apart:${first}:${others.length}`);
  }

  if (mode.removeDeprecated) {
    const gone = items
      .map(({ entry }) => current(entry.id))
      .filter(
        (entry) =>
          entry !== undefined &&
          entry !== null &&
          isDeprecated(entry) &&
          isReplaced(entry, (id) => current(id) ?? undefined),
      );
    for (const entry of gone) {
      if (entry !== undefined) changes.set(entry.id, null);
      deprecatedRemoved += 1;
    }
  }
  return {
    changes,
    repairedHashes,
    normalizedCategories,
    purgedScopes,
    duplicatesMerged,
    deprecatedRemoved,
    notes,
  };
}
