import { faults } from '#kernel/fault/kernel-faults.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import { type EntitySchema, fieldOf, type SchemaField } from '../schemas/entity-schema.ts';
import { type Contributor, compareContributors } from './contributor.ts';

export interface SingleValue {
  readonly value: Json;
  readonly contributor: Contributor;
}

/** Keyed by canonical JSON. A correction replaces all elements, possibly with none. */
export interface MergedArray {
  readonly elements: ReadonlyMap<string, SingleValue>;
  readonly correction?: Contributor | undefined;
}

export type FieldState = SingleValue | MergedArray;

/**
 * The winner of each field, which is all that later observations need. Valid for one schema version; under another one
 * the observations are reduced again.
 */
export type EntityState = ReadonlyMap<string, FieldState>;

export const emptyState: EntityState = new Map();

export const isMergedArray = (field: FieldState): field is MergedArray => 'elements' in field;

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const sortedEntries = <T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...map].sort(([a], [b]) => byText(a, b));

export function contributorsOf(state: EntityState): ReadonlyMap<string, Contributor> {
  const contributors = new Map<string, Contributor>();
  const add = (contributor: Contributor) => contributors.set(contributor.id, contributor);
  for (const field of state.values()) {
    if (!isMergedArray(field)) add(field.contributor);
    else if (field.correction !== undefined) add(field.correction);
    else for (const { contributor } of field.elements.values()) add(contributor);
  }
  return contributors;
}

const printContributor = ({ id, observedAt, priority, specificity, isCorrection }: Contributor): string =>
  canonicalJson([id, observedAt, priority, specificity, ...(isCorrection ? [1] : [])]);

const printMember = (name: string, text: string): string => `${JSON.stringify(name)}:${text}`;

/**
 * Canonical JSON. `o`: contributors by id; `f`: fields as `[index in o, value]`; `a`: merged arrays with such a pair
 * per element; `c`: corrected arrays as `[index in o, elements]`. Empty parts are omitted.
 */
export function printState(state: EntityState): string {
  const contributors = sortedEntries(contributorsOf(state));
  const places = new Map(contributors.map(([id], place) => [id, place]));
  const placeOf = ({ id }: Contributor): number => places.get(id)!;
  const merged: string[] = [];
  const corrected: string[] = [];
  const single: string[] = [];
  for (const [name, field] of sortedEntries(state)) {
    if (!isMergedArray(field)) {
      single.push(printMember(name, `[${placeOf(field.contributor)},${canonicalJson(field.value)}]`));
      continue;
    }
    const { elements, correction } = field;
    const texts = sortedEntries(elements).map(([text, { contributor }]) =>
      correction === undefined ? `[${placeOf(contributor)},${text}]` : text,
    );
    if (correction === undefined) merged.push(printMember(name, `[${texts.join(',')}]`));
    else corrected.push(printMember(name, `[${placeOf(correction)},[${texts.join(',')}]]`));
  }
  const members = [
    ...(merged.length > 0 ? [`"a":{${merged.join(',')}}`] : []),
    ...(corrected.length > 0 ? [`"c":{${corrected.join(',')}}`] : []),
    ...(single.length > 0 ? [`"f":{${single.join(',')}}`] : []),
    ...(contributors.length > 0
      ? [`"o":[${contributors.map(([, contributor]) => printContributor(contributor)).join(',')}]`]
      : []),
  ];
  return `{${members.join(',')}}`;
}

interface PrintedState {
  readonly o?: readonly (readonly [string, number, number, number, 1?])[];
  readonly f?: Readonly<Record<string, readonly [number, Json]>>;
  readonly a?: Readonly<Record<string, readonly (readonly [number, Json])[]>>;
  readonly c?: Readonly<Record<string, readonly [number, readonly Json[]]>>;
}

function readState({ o = [], f = {}, a = {}, c = {} }: PrintedState): EntityState {
  const contributors = o.map(
    ([id, observedAt, priority, specificity, mark]): Contributor => ({
      id,
      observedAt,
      priority,
      specificity,
      isCorrection: mark === 1,
    }),
  );
  const contributorAt = (place: number): Contributor => {
    const contributor = contributors[place];
    if (contributor === undefined) throw new Error(`no contributor at index ${place}`);
    return contributor;
  };
  const toElement = (contributor: Contributor, value: Json) => [canonicalJson(value), { value, contributor }] as const;
  const state = new Map<string, FieldState>();
  for (const [name, [place, value]] of Object.entries(f)) state.set(name, { value, contributor: contributorAt(place) });
  for (const [name, elements] of Object.entries(a)) {
    state.set(name, { elements: new Map(elements.map(([place, value]) => toElement(contributorAt(place), value))) });
  }
  for (const [name, [place, values]] of Object.entries(c)) {
    const correction = contributorAt(place);
    state.set(name, { elements: new Map(values.map((value) => toElement(correction, value))), correction });
  }
  return state;
}

export function parseState(text: string): EntityState {
  try {
    return readState(JSON.parse(text) as PrintedState);
  } catch (cause) {
    throw faults.INTEGRITY_ERROR({ why: 'the stored state of an entity is damaged' }, {}, { cause });
  }
}

export interface StateView {
  readonly snapshot: Readonly<Record<string, Json>>;
  /** Field → winning observation; the newest contributor of a merged array. */
  readonly provenance: Readonly<Record<string, string>>;
  /** Field → all contributors, newest first. */
  readonly provenance_all: Readonly<Record<string, readonly string[]>>;
}

function contributorIds(state: FieldState, field: SchemaField): readonly string[] {
  if (!isMergedArray(state)) return [state.contributor.id];
  if (state.correction !== undefined) return [state.correction.id];
  const contributors = new Map<string, Contributor>();
  for (const { contributor } of state.elements.values()) contributors.set(contributor.id, contributor);
  return [...contributors.values()].sort((a, b) => compareContributors(field, a, b)).map(({ id }) => id);
}

/** Members sorted by name, so that new and stored values look the same. */
function sortMembers(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortMembers);
  const members = Object.entries(value).flatMap(([name, one]) =>
    one === undefined ? [] : [[name, sortMembers(one)] as const],
  );
  return Object.fromEntries(members.sort(([a], [b]) => byText(a, b)));
}

const toFieldValue = (state: FieldState): Json =>
  isMergedArray(state)
    ? sortedEntries(state.elements).map(([, { value }]) => sortMembers(value))
    : sortMembers(state.value);

/** Fields sorted by name, so that equal states give equal text. */
export function toStateView(state: EntityState, schema: EntitySchema): StateView {
  const shown = sortedEntries(state).map(([name, one]) => {
    const field = fieldOf(schema, name);
    if (field === undefined) throw new Error(`bug: ${name} comes from the state of another schema`);
    return { name, value: toFieldValue(one), contributors: contributorIds(one, field) };
  });
  // `fromEntries` defines own members, so a field called `__proto__` is kept.
  return {
    snapshot: Object.fromEntries(shown.map(({ name, value }) => [name, value])),
    provenance: Object.fromEntries(shown.map(({ name, contributors }) => [name, contributors[0]!])),
    provenance_all: Object.fromEntries(shown.map(({ name, contributors }) => [name, contributors])),
  };
}
