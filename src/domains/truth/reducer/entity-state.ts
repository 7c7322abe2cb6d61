import { faults } from '#kernel/fault/kernel-faults.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import { type EntitySchema, fieldOf, type SchemaField } from '../schemas/entity-schema.ts';
import { type Credit, compareCredits } from './contributor.ts';

export interface OneValue {
  readonly value: Json;
  readonly credit: Credit;
}

/** By their canonical JSON. Where there is a correction it said all of them, perhaps none. */
export interface ManyValues {
  readonly elements: ReadonlyMap<string, OneValue>;
  readonly correction?: Credit | undefined;
}

export type FieldState = OneValue | ManyValues;

/**
 * What is needed of all observations so far to go on: the winner of each field. It belongs to one version of a schema; under
 * another one the observations are reduced anew.
 */
export type EntityState = ReadonlyMap<string, FieldState>;

export const emptyState: EntityState = new Map();

export const isMany = (field: FieldState): field is ManyValues => 'elements' in field;

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const sortedEntries = <T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...map].sort(([a], [b]) => byText(a, b));

/** Every observation that anything in it is owed to. */
export function creditsOf(state: EntityState): ReadonlyMap<string, Credit> {
  const credits = new Map<string, Credit>();
  const add = (credit: Credit) => credits.set(credit.id, credit);
  for (const field of state.values()) {
    if (!isMany(field)) add(field.credit);
    else if (field.correction !== undefined) add(field.correction);
    else for (const { credit } of field.elements.values()) add(credit);
  }
  return credits;
}

const printCredit = ({ id, observedAt, priority, specificity, isCorrection }: Credit): string =>
  canonicalJson([id, observedAt, priority, specificity, ...(isCorrection ? [1] : [])]);

const printMember = (name: string, text: string): string => `${JSON.stringify(name)}:${text}`;

/**
 * Canonical JSON. `o`: the observations that anything is owed to, by id; `f`: fields, `[place in o, value]`; `a`: merged arrays,
 * such a pair an element; `c`: corrected arrays, `[place in o, elements]`. What is empty is left out.
 */
export function printState(state: EntityState): string {
  const credits = sortedEntries(creditsOf(state));
  const places = new Map(credits.map(([id], place) => [id, place]));
  const placeOf = ({ id }: Credit): number => places.get(id)!;
  const merged: string[] = [];
  const corrected: string[] = [];
  const single: string[] = [];
  for (const [name, field] of sortedEntries(state)) {
    if (!isMany(field)) {
      single.push(printMember(name, `[${placeOf(field.credit)},${canonicalJson(field.value)}]`));
      continue;
    }
    const { elements, correction } = field;
    const texts = sortedEntries(elements).map(([text, { credit }]) =>
      correction === undefined ? `[${placeOf(credit)},${text}]` : text,
    );
    if (correction === undefined) merged.push(printMember(name, `[${texts.join(',')}]`));
    else corrected.push(printMember(name, `[${placeOf(correction)},[${texts.join(',')}]]`));
  }
  const members = [
    ...(merged.length > 0 ? [`"a":{${merged.join(',')}}`] : []),
    ...(corrected.length > 0 ? [`"c":{${corrected.join(',')}}`] : []),
    ...(single.length > 0 ? [`"f":{${single.join(',')}}`] : []),
    ...(credits.length > 0 ? [`"o":[${credits.map(([, credit]) => printCredit(credit)).join(',')}]`] : []),
  ];
  return `{${members.join(',')}}`;
}

interface Printed {
  readonly o?: readonly (readonly [string, number, number, number, 1?])[];
  readonly f?: Readonly<Record<string, readonly [number, Json]>>;
  readonly a?: Readonly<Record<string, readonly (readonly [number, Json])[]>>;
  readonly c?: Readonly<Record<string, readonly [number, readonly Json[]]>>;
}

function readState({ o = [], f = {}, a = {}, c = {} }: Printed): EntityState {
  const credits = o.map(
    ([id, observedAt, priority, specificity, mark]): Credit => ({
      id,
      observedAt,
      priority,
      specificity,
      isCorrection: mark === 1,
    }),
  );
  const creditAt = (place: number): Credit => {
    const credit = credits[place];
    if (credit === undefined) throw new Error(`nothing stands at ${place}`);
    return credit;
  };
  const toElement = (credit: Credit, value: Json) => [canonicalJson(value), { value, credit }] as const;
  const state = new Map<string, FieldState>();
  for (const [name, [place, value]] of Object.entries(f)) state.set(name, { value, credit: creditAt(place) });
  for (const [name, elements] of Object.entries(a)) {
    state.set(name, { elements: new Map(elements.map(([place, value]) => toElement(creditAt(place), value))) });
  }
  for (const [name, [place, values]] of Object.entries(c)) {
    const correction = creditAt(place);
    state.set(name, { elements: new Map(values.map((value) => toElement(correction, value))), correction });
  }
  return state;
}

export function parseState(text: string): EntityState {
  try {
    return readState(JSON.parse(text) as Printed);
  } catch (cause) {
    throw faults.INTEGRITY_ERROR({ why: 'the state of an entity cannot be read' }, {}, { cause });
  }
}

export interface ShownState {
  readonly snapshot: Readonly<Record<string, Json>>;
  /** Field → the observation that said so; of a merged array the newest one. */
  readonly provenance: Readonly<Record<string, string>>;
  /** Field → all that its value is owed to, newest first. */
  readonly provenance_all: Readonly<Record<string, readonly string[]>>;
}

function contributorsOf(state: FieldState, field: SchemaField): readonly string[] {
  if (!isMany(state)) return [state.credit.id];
  if (state.correction !== undefined) return [state.correction.id];
  const credits = new Map<string, Credit>();
  for (const { credit } of state.elements.values()) credits.set(credit.id, credit);
  return [...credits.values()].sort((a, b) => compareCredits(field, a, b)).map(({ id }) => id);
}

/** Members of objects by name: a value that was just heard is shown as one that was kept. */
function inOrder(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(inOrder);
  const members = Object.entries(value).flatMap(([name, one]) =>
    one === undefined ? [] : [[name, inOrder(one)] as const],
  );
  return Object.fromEntries(members.sort(([a], [b]) => byText(a, b)));
}

const shownValue = (state: FieldState): Json =>
  isMany(state) ? sortedEntries(state.elements).map(([, { value }]) => inOrder(value)) : inOrder(state.value);

/** By the name of the field: the same state is the same text. */
export function showState(state: EntityState, schema: EntitySchema): ShownState {
  const shown = sortedEntries(state).map(([name, one]) => {
    const field = fieldOf(schema, name);
    if (field === undefined) throw new Error(`bug: the state of another schema was shown, with ${name}`);
    return { name, value: shownValue(one), contributors: contributorsOf(one, field) };
  });
  // `fromEntries` makes members of its own, so that a field called `__proto__` is one too.
  return {
    snapshot: Object.fromEntries(shown.map(({ name, value }) => [name, value])),
    provenance: Object.fromEntries(shown.map(({ name, contributors }) => [name, contributors[0]!])),
    provenance_all: Object.fromEntries(shown.map(({ name, contributors }) => [name, contributors])),
  };
}
