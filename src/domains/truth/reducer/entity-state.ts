import { faults } from '#kernel/fault/kernel-faults.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import { type EntitySchema, fieldOf, type SchemaField } from '../schemas/entity-schema.ts';
import { type Contributor, compareContributors } from './contributor.ts';

export interface SingleValue {
  /** null: the field ended. */
  readonly value: Json;
  readonly contributor: Contributor;
  /** The correction that gave way to it. */
  readonly over?: SingleValue | undefined;
}

/** Keyed by canonical JSON. A correction replaces all elements, possibly with none. */
export interface MergedArray {
  readonly elements: ReadonlyMap<string, SingleValue>;
  readonly correction?: Contributor | undefined;
  /** The newest statement that the field ended; elements that were stated before it are gone. */
  readonly ended?: Contributor | undefined;
  readonly over?: MergedArray | undefined;
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
  const add = (contributor: Contributor | undefined) => {
    if (contributor !== undefined) contributors.set(contributor.id, contributor);
  };
  function addField(field: FieldState): void {
    if (!isMergedArray(field)) add(field.contributor);
    else if (field.correction !== undefined) add(field.correction);
    else for (const { contributor } of field.elements.values()) add(contributor);
    if (isMergedArray(field)) add(field.ended);
    if (field.over !== undefined) addField(field.over);
  }
  for (const field of state.values()) addField(field);
  return contributors;
}

/** The correction in effect that gives way to newer statements, or gave way to the current one. */
export function guardOf(field: FieldState): Contributor | undefined {
  const { over } = field;
  const correction = isMergedArray(field) ? field.correction : field.contributor;
  if (over !== undefined) return isMergedArray(over) ? over.correction : over.contributor;
  return correction?.isUntilNewer === true ? correction : undefined;
}

const printContributor = (one: Contributor): string =>
  canonicalJson([
    ...[one.id, one.effectiveAt, one.observedAt, one.recordedAt, one.priority, one.specificity, one.origin],
    ...(one.isCorrection ? [one.isUntilNewer ? 2 : 1] : []),
  ]);

type PrintedField = readonly [kind: 'v', place: number, value: Json] | PrintedArray;
type PrintedArray = readonly [kind: 'a', elements: readonly (readonly [number, Json])[], ended: number | null];
type PrintedCorrection = readonly [kind: 'c', place: number, values: readonly Json[]];
type PrintedAny = PrintedField | PrintedCorrection;

interface PrintedState {
  /** Contributors, sorted by id. */
  readonly o: readonly (readonly [string, number, number, number, number, number, string, (1 | 2)?])[];
  /** Fields by name. They name contributors by their place in `o`. */
  readonly f: Readonly<Record<string, PrintedAny>>;
  /** The corrections that gave way. */
  readonly w?: Readonly<Record<string, PrintedAny>>;
}

/** Canonical JSON, so that equal states are equal texts. */
export function printState(state: EntityState): string {
  const contributors = sortedEntries(contributorsOf(state));
  const places = new Map(contributors.map(([id], place) => [id, place]));
  const placeOf = ({ id }: Contributor): number => places.get(id)!;
  function print(field: FieldState): string {
    if (!isMergedArray(field)) return `["v",${placeOf(field.contributor)},${canonicalJson(field.value)}]`;
    const { correction, ended } = field;
    const elements = sortedEntries(field.elements);
    if (correction !== undefined) return `["c",${placeOf(correction)},[${elements.map(([text]) => text).join(',')}]]`;
    const texts = elements.map(([text, { contributor }]) => `[${placeOf(contributor)},${text}]`);
    return `["a",[${texts.join(',')}],${ended === undefined ? 'null' : placeOf(ended)}]`;
  }
  const member = (name: string, text: string): string => `${JSON.stringify(name)}:${text}`;
  const fields = sortedEntries(state);
  const gaveWay = fields.flatMap(([name, { over }]) => (over === undefined ? [] : [member(name, print(over))]));
  return `{"f":{${fields.map(([name, field]) => member(name, print(field))).join(',')}},"o":[${contributors
    .map(([, contributor]) => printContributor(contributor))
    .join(',')}]${gaveWay.length === 0 ? '' : `,"w":{${gaveWay.join(',')}}`}}`;
}

function readState({ o, f, w = {} }: PrintedState): EntityState {
  const contributors = o.map(
    ([id, effectiveAt, observedAt, recordedAt, priority, specificity, origin, mark]): Contributor => ({
      ...{ id, effectiveAt, observedAt, recordedAt, priority, specificity, origin },
      isCorrection: mark !== undefined,
      isUntilNewer: mark === 2,
    }),
  );
  const contributorAt = (place: number): Contributor => {
    const contributor = contributors[place];
    if (contributor === undefined) throw new Error(`no contributor at index ${place}`);
    return contributor;
  };
  const toElement = (contributor: Contributor, value: Json) => [canonicalJson(value), { value, contributor }] as const;
  function read(printed: PrintedAny): FieldState {
    if (printed[0] === 'v') return { value: printed[2], contributor: contributorAt(printed[1]) };
    if (printed[0] === 'c') {
      const correction = contributorAt(printed[1]);
      return { elements: new Map(printed[2].map((value) => toElement(correction, value))), correction };
    }
    const elements = new Map(printed[1].map(([place, value]) => toElement(contributorAt(place), value)));
    return printed[2] === null ? { elements } : { elements, ended: contributorAt(printed[2]) };
  }
  const state = new Map<string, FieldState>();
  for (const [name, printed] of Object.entries(f)) {
    const over = Object.hasOwn(w, name) ? { over: read(w[name]!) } : {};
    state.set(name, { ...read(printed), ...over } as FieldState);
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

/** A field that ended is not shown. */
const isShown = (state: FieldState): boolean =>
  isMergedArray(state) ? state.elements.size > 0 || state.correction !== undefined : state.value !== null;

/** Fields sorted by name, so that equal states give equal text. */
export function toStateView(state: EntityState, schema: EntitySchema): StateView {
  const shown = sortedEntries(state).flatMap(([name, one]) => {
    const field = fieldOf(schema, name);
    if (field === undefined) throw new Error(`bug: ${name} comes from the state of another schema`);
    return isShown(one) ? [{ name, value: toFieldValue(one), contributors: contributorIds(one, field) }] : [];
  });
  // `fromEntries` defines own members, so a field called `__proto__` is kept.
  return {
    snapshot: Object.fromEntries(shown.map(({ name, value }) => [name, value])),
    provenance: Object.fromEntries(shown.map(({ name, contributors }) => [name, contributors[0]!])),
    provenance_all: Object.fromEntries(shown.map(({ name, contributors }) => [name, contributors])),
  };
}
