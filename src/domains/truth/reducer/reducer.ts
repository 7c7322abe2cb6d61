import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Observed } from '../observations/observation.ts';
import { type EntitySchema, fieldOf, type SchemaField } from '../schemas/entity-schema.ts';
import { fitValue } from '../schemas/fit-value.ts';
import { truthLimits } from '../truth-limits.ts';
import { type CompareCredits, type Credit, compareCredits, toCredit } from './contributor.ts';
import {
  byText,
  type EntityState,
  emptyState,
  type FieldState,
  isMany,
  type ManyValues,
  type OneValue,
} from './entity-state.ts';

/** All pure. A state that nothing changed comes back as the same object. */
export interface Reducer {
  applyObservation(state: EntityState, observed: Observed, schema: EntitySchema): EntityState;
  /** Both of this version of the schema; what both have heard of counts once. */
  joinStates(a: EntityState, b: EntityState, schema: EntitySchema): EntityState;
  reduceAll(observeds: Iterable<Observed>, schema: EntitySchema): EntityState;
}

/** A state in the making: element maps that were made here may be changed, those of the given state may not. */
interface Draft {
  readonly before: EntityState;
  fields: Map<string, FieldState> | undefined;
  readonly made: Map<string, Map<string, OneValue>>;
}

const openDraft = (before: EntityState): Draft => ({ before, fields: undefined, made: new Map() });
const findIn = ({ fields, before }: Draft, name: string): FieldState | undefined => (fields ?? before).get(name);

function put(draft: Draft, name: string, field: FieldState): void {
  draft.fields ??= new Map(draft.before);
  draft.fields.set(name, field);
}

const isMerged = ({ strategy }: SchemaField): boolean => strategy === 'merge_array';

const foreign = (name: string): Error => new Error(`bug: the state of another schema was used for ${name}`);

function expectMany(field: FieldState | undefined, name: string): ManyValues | undefined {
  if (field !== undefined && !isMany(field)) throw foreign(name);
  return field;
}

function expectOne(field: FieldState | undefined, name: string): OneValue | undefined {
  if (field !== undefined && isMany(field)) throw foreign(name);
  return field;
}

/** [TR10] Also what no schema knew when it was recorded. */
function statedValue({ fields, rawFragments }: Observed, name: string, field: SchemaField): Json | undefined {
  for (const stated of [fields, rawFragments]) {
    const value = Object.hasOwn(stated, name) ? stated[name] : undefined;
    const fitted = value === undefined ? undefined : fitValue(field, value);
    if (fitted !== undefined) return fitted;
  }
  return undefined;
}

function toElements(value: Json, credit: Credit): Map<string, OneValue> {
  const values = (Array.isArray(value) ? value : [value]) as readonly Json[];
  const stated = values.filter((element) => element !== null);
  return new Map(stated.map((element) => [canonicalJson(element), { value: element, credit }]));
}

export function createReducer(compare: CompareCredits): Reducer {
  function trim(field: SchemaField, elements: Map<string, OneValue>, countMax: number): void {
    if (elements.size <= countMax) return;
    const ranked = [...elements].sort(
      ([a, { credit: first }], [b, { credit: second }]) => compare(field, first, second) || byText(a, b),
    );
    for (const [text] of ranked.slice(truthLimits.arrayElementsCount)) elements.delete(text);
  }

  /** The map that may be changed. */
  function elementsToChange(draft: Draft, name: string, before: ManyValues | undefined): Map<string, OneValue> {
    const known = draft.made.get(name);
    if (known !== undefined) return known;
    const elements = new Map(before?.elements);
    draft.made.set(name, elements);
    put(draft, name, { elements });
    return elements;
  }

  /** [TR14] A correction takes the place of all that was said, and only a newer one takes its place. */
  function correctMany(
    draft: Draft,
    name: string,
    field: SchemaField,
    correction: Credit,
    toAll: () => ReadonlyMap<string, OneValue>,
  ): void {
    const before = expectMany(findIn(draft, name), name);
    if (before?.correction !== undefined && compare(field, correction, before.correction) >= 0) return;
    const elements = new Map(toAll());
    draft.made.set(name, elements);
    put(draft, name, { elements, correction });
  }

  /** [TR13] */
  function addMany(draft: Draft, name: string, field: SchemaField, added: Iterable<readonly [string, OneValue]>): void {
    const before = expectMany(findIn(draft, name), name);
    if (before?.correction !== undefined) return;
    let elements = before?.elements;
    for (const [text, one] of added) {
      const known = elements?.get(text);
      if (known !== undefined && compare(field, one.credit, known.credit) >= 0) continue;
      const changing = elementsToChange(draft, name, before);
      changing.set(text, one);
      elements = changing;
    }
    const changed = draft.made.get(name);
    if (changed !== undefined) trim(field, changed, truthLimits.gatheredElementsCount);
  }

  function applyMany(draft: Draft, name: string, field: SchemaField, observed: Observed): void {
    const value = statedValue(observed, name, field);
    if (value === undefined) return;
    const credit = toCredit(observed);
    if (observed.isCorrection) correctMany(draft, name, field, credit, () => toElements(value, credit));
    else addMany(draft, name, field, toElements(value, credit));
  }

  /** Whoever would not win is not even read. */
  function applyOne(draft: Draft, name: string, field: SchemaField, observed: Observed): void {
    const before = expectOne(findIn(draft, name), name);
    if (before !== undefined && compare(field, observed, before.credit) >= 0) return;
    const value = statedValue(observed, name, field);
    if (value !== undefined) put(draft, name, { value, credit: toCredit(observed) });
  }

  function apply(draft: Draft, observed: Observed, fields: readonly (readonly [string, SchemaField])[]): void {
    for (const [name, field] of fields) {
      if (isMerged(field)) applyMany(draft, name, field, observed);
      else applyOne(draft, name, field, observed);
    }
  }

  function close({ before, fields, made }: Draft, schema: EntitySchema): EntityState {
    for (const [name, elements] of made) {
      trim(schema.fields[name]!, elements, truthLimits.arrayElementsCount);
    }
    return fields ?? before;
  }

  function join(draft: Draft, name: string, field: SchemaField, other: FieldState): void {
    if (!isMerged(field)) {
      const one = expectOne(other, name)!;
      const before = expectOne(findIn(draft, name), name);
      if (before === undefined || compare(field, one.credit, before.credit) < 0) put(draft, name, one);
      return;
    }
    const { elements, correction } = expectMany(other, name)!;
    if (correction === undefined) addMany(draft, name, field, elements);
    else correctMany(draft, name, field, correction, () => elements);
  }

  return {
    applyObservation(state, observed, schema) {
      const draft = openDraft(state);
      apply(draft, observed, Object.entries(schema.fields));
      return close(draft, schema);
    },
    joinStates(a, b, schema) {
      const draft = openDraft(a);
      for (const [name, other] of b) {
        const field = fieldOf(schema, name);
        if (field === undefined) throw foreign(name);
        join(draft, name, field, other);
      }
      return close(draft, schema);
    },
    reduceAll(observeds, schema) {
      const draft = openDraft(emptyState);
      const fields = Object.entries(schema.fields);
      for (const observed of observeds) apply(draft, observed, fields);
      return close(draft, schema);
    },
  };
}

export const { applyObservation, joinStates, reduceAll } = createReducer(compareCredits);
