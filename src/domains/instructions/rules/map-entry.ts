import { isObject } from '#kernel/json/is-object.ts';
import {
  audiences,
  classifications,
  type InstructionEntry,
  type InstructionInput,
  instructionInput,
  requirements,
  statuses,
  tiers,
} from '../entry-model.ts';
import { instructionIdPattern, reservedIds } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';

type Raw = Readonly<Record<string, unknown>>;

/** A value of another catalog that this one does not have, and what it became. */
export interface MappedField {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

export interface MappedEntry {
  readonly raw: Raw;
  /** From another catalog: unknown fields become extensions, and a binding rule may lack an owner. */
  readonly isForeign: boolean;
  readonly mapped: readonly MappedField[];
}

const shownChars = 100;
const show = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, shownChars);

/** `Git.CommitStyle` → `git-commitstyle`. Undefined when that is not a valid id either. */
export function mapId(id: string): string | undefined {
  if (instructionIdPattern.test(id)) return id;
  const mapped = id.toLowerCase().replaceAll('.', '-');
  return instructionIdPattern.test(mapped) && !reservedIds.has(mapped) ? mapped : undefined;
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '');

const pick = <T extends string>(words: readonly T[], value: unknown): T | undefined =>
  words.find((word) => word === wordOf(value));

/** Every reader of the catalog is an agent. */
const everybody: ReadonlySet<string> = new Set([
  '*',
  'any',
  'everyone',
  'everybody',
  'public',
  'agent',
  'agents',
  'ai',
]);
const oneself: ReadonlySet<string> = new Set(['user', 'person', 'me', 'self']);

function mapAudience(value: unknown): string | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!given.every((one) => typeof one === 'string')) return undefined;
  const mapped = given.map((one) => {
    if (everybody.has(wordOf(one)) || wordOf(one) === '') return 'all';
    return pick(audiences, one) ?? (oneself.has(wordOf(one)) ? 'individual' : 'group');
  });
  if (mapped.length === 0 || mapped.includes('all')) return 'all';
  return mapped.includes('group') ? 'group' : 'individual';
}

function mapRequirement(value: unknown): string | undefined {
  const word = wordOf(value);
  if (word === '') return undefined;
  return pick(requirements, value) ?? (word === 'must' || word === 'must not' ? 'mandatory' : 'recommended');
}

/** Tiers are computed, but the highest one of another catalog must not get lost. */
function mapTier(value: unknown): string | undefined {
  return wordOf(value) === 'p0'
    ? 'P1'
    : pick(
        tiers.map((tier) => tier.toLowerCase()),
        value,
      )?.toUpperCase();
}

const priorityMax = 100;
/** The lowest priority of the first tier. */
const topPriority = 20;

function mapPriority(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return Math.min(priorityMax, Math.max(1, Math.round(number)));
}

const inForce: ReadonlySet<string> = new Set(['active', 'published', 'accepted', 'final', 'current']);

const mapStatus = (value: unknown): string =>
  pick(statuses, value) ?? (inForce.has(wordOf(value)) ? 'approved' : 'draft');

const secret: ReadonlySet<string> = new Set(['confidential', 'secret', 'private']);

const mapClassification = (value: unknown): string =>
  pick(classifications, value) ?? (secret.has(wordOf(value)) ? 'restricted' : 'internal');

/** A day without a time is its beginning. */
function mapMoment(value: unknown): string | undefined {
  const at = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined;
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

const mapReference = (value: unknown): unknown => (typeof value === 'string' ? mapId(value) : undefined);
const mapReferences = (value: unknown): unknown =>
  Array.isArray(value) ? value.flatMap((one) => mapReference(one) ?? []) : undefined;

const mapText = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : undefined);
const mapWords = (value: unknown): unknown => (typeof value === 'string' && value !== '' ? [value] : undefined);

type Mapper = (value: unknown) => unknown;

/** Called only for values that the model does not accept. Undefined: no counterpart. */
const mappers: Readonly<Record<string, Mapper>> = {
  audience: mapAudience,
  requirement: mapRequirement,
  priorityTier: mapTier,
  dependencies: mapReferences,
  supersedes: mapReference,
  deprecatedBy: mapReference,
};

/** Only for an entry of a newer schema; elsewhere such a value is a mistake. */
const newerMappers: Readonly<Record<string, Mapper>> = {
  priority: mapPriority,
  status: mapStatus,
  classification: mapClassification,
  lastReviewedAt: mapMoment,
  nextReviewDue: mapMoment,
  createdAt: mapMoment,
  updatedAt: mapMoment,
  schemaVersion: mapText,
  version: mapText,
  categories: mapWords,
  tags: mapWords,
};

const { shape } = instructionInput;
const isField = (field: string): field is keyof typeof shape => Object.hasOwn(shape, field);

/** The schema that this program writes. */
const ownSchema = 2;
const isNewer = (value: unknown): boolean => Number.parseInt(String(value), 10) > ownSchema;

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether an entry that the model accepts has something to map. */
export const needsMapping = (raw: object): boolean =>
  'primaryCategory' in raw || !('id' in raw && typeof raw.id === 'string' && instructionIdPattern.test(raw.id));

/** Where the extensions of an entry keep the values that were mapped. */
const originalsKey = 'mappedFrom';

const none: Raw = {};

const originalsOf = ({ extensions }: { readonly extensions?: unknown }): Raw => {
  const originals = isObject(extensions) ? extensions[originalsKey] : undefined;
  return isObject(originals) ? originals : none;
};

/**
 * Translates the values of newer and other catalogs; the originals stay in the extensions. In an entry of a newer schema,
 * a known field of unknown form is kept there, too, so that the entry can be served.
 */
export function mapEntry(raw: Raw): MappedEntry {
  const mapped: MappedField[] = [];
  const next: Record<string, unknown> = { ...raw };
  const original: Record<string, unknown> = {};

  function replace(field: string, to: unknown, shown = show(to)): void {
    mapped.push({ field, from: show(raw[field]), to: shown });
    original[field] = raw[field];
    if (to === undefined) delete next[field];
    else next[field] = to;
  }

  const { id, primaryCategory } = raw;
  const isFromNewer = isNewer(raw['schemaVersion']);
  const newId = typeof id === 'string' ? mapId(id) : undefined;
  if (newId !== undefined && newId !== id) replace('id', newId);
  for (const field of Object.keys(raw)) {
    if (field === 'id' || field === 'body' || !isField(field)) continue;
    if (raw[field] === null && isFromNewer) delete next[field];
    if (raw[field] === null || raw[field] === undefined || shape[field].safeParse(raw[field]).success) continue;
    const value = (mappers[field] ?? (isFromNewer ? newerMappers[field] : undefined))?.(raw[field]);
    if (value !== undefined && shape[field].safeParse(value).success) replace(field, value);
    else if (isFromNewer) replace(field, undefined, `extensions.${originalsKey}`);
  }
  if (typeof primaryCategory === 'string' && primaryCategory.trim() !== '') {
    delete next['primaryCategory'];
    const others = asList(next['categories']).filter((name) => wordOf(name) !== wordOf(primaryCategory));
    next['categories'] = [primaryCategory, ...others].slice(0, instructionLimits.categoriesCount);
    mapped.push({ field: 'primaryCategory', from: show(primaryCategory), to: `categories: ${show(primaryCategory)}` });
    original['primaryCategory'] = primaryCategory;
  }
  // A tier follows from the priority.
  const isTop =
    wordOf(raw['priorityTier']) === 'p0' && next['requirement'] !== 'mandatory' && next['requirement'] !== 'critical';
  if (isTop && !(typeof next['priority'] === 'number' && next['priority'] <= topPriority))
    replace('priority', topPriority);
  if (mapped.length === 0) {
    return { raw: isFromNewer ? next : raw, isForeign: isFromNewer || originalsOf(raw) !== none, mapped };
  }
  const extensions = isObject(next['extensions']) ? next['extensions'] : {};
  return { raw: { ...next, extensions: { [originalsKey]: original, ...extensions } }, isForeign: true, mapped };
}

/** The id that the entry had in another catalog, if it was mapped. */
export const originalId = (entry: Pick<InstructionInput, 'extensions'>): string | undefined => {
  const { id } = originalsOf(entry);
  return typeof id === 'string' ? id : undefined;
};

/** The main category that the entry had in another catalog: it stays the first one. */
export const primaryCategoryOf = (entry: Pick<InstructionInput, 'extensions'>): string | undefined => {
  const { primaryCategory } = originalsOf(entry);
  return typeof primaryCategory === 'string' ? primaryCategory : undefined;
};

/** The mapping of a served entry. */
export function mappedFieldsOf(entry: InstructionEntry): readonly MappedField[] {
  return Object.entries(originalsOf(entry)).map(([field, from]) => {
    const value = field === 'primaryCategory' ? entry.categories : (entry as Raw)[field];
    return { field, from: show(from), to: value === undefined ? `extensions.${originalsKey}` : show(value) };
  });
}
