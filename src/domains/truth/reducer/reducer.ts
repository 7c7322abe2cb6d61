import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Observation } from '../observations/observation.ts';
import { type EntitySchema, fieldOf, type SchemaField } from '../schemas/entity-schema.ts';
import { fitValue } from '../schemas/fit-value.ts';
import { truthLimits } from '../truth-limits.ts';
import { type CompareContributors, type Contributor, compareContributors, toContributor } from './contributor.ts';
import {
  byText,
  type EntityState,
  emptyState,
  type FieldState,
  isMergedArray,
  type MergedArray,
  type SingleValue,
} from './entity-state.ts';

export type Reducer = ReturnType<typeof createReducer>;

/** A state under construction: it may change the element maps it created, but not those of the given state. */
interface StateBuilder {
  readonly before: EntityState;
  fields: Map<string, FieldState> | undefined;
  readonly made: Map<string, Map<string, SingleValue>>;
}

const startBuilding = (before: EntityState): StateBuilder => ({ before, fields: undefined, made: new Map() });
const currentField = ({ fields, before }: StateBuilder, name: string): FieldState | undefined =>
  (fields ?? before).get(name);

function putField(builder: StateBuilder, name: string, field: FieldState): void {
  builder.fields ??= new Map(builder.before);
  builder.fields.set(name, field);
}

const isMerged = ({ strategy }: SchemaField): boolean => strategy === 'merge_array';

const otherSchemaError = (name: string): Error => new Error(`bug: ${name} comes from the state of another schema`);

function expectMergedArray(field: FieldState | undefined, name: string): MergedArray | undefined {
  if (field !== undefined && !isMergedArray(field)) throw otherSchemaError(name);
  return field;
}

function expectSingleValue(field: FieldState | undefined, name: string): SingleValue | undefined {
  if (field !== undefined && isMergedArray(field)) throw otherSchemaError(name);
  return field;
}

/** [TR10] Raw fragments may fit the schema now. */
function statedValue({ fields, rawFragments }: Observation, name: string, field: SchemaField): Json | undefined {
  for (const stated of [fields, rawFragments]) {
    const value = Object.hasOwn(stated, name) ? stated[name] : undefined;
    const fitted = value === undefined ? undefined : fitValue(field, value);
    if (fitted !== undefined) return fitted;
  }
  return undefined;
}

function toElements(value: Json, contributor: Contributor): Map<string, SingleValue> {
  const values = (Array.isArray(value) ? value : [value]) as readonly Json[];
  const stated = values.filter((element) => element !== null);
  return new Map(stated.map((element) => [canonicalJson(element), { value: element, contributor }]));
}

/** Pure functions. An unchanged state is returned as the same object. */
export function createReducer(compare: CompareContributors) {
  function trim(field: SchemaField, elements: Map<string, SingleValue>, countMax: number): void {
    if (elements.size <= countMax) return;
    const ranked = [...elements].sort(
      ([a, { contributor: first }], [b, { contributor: second }]) => compare(field, first, second) || byText(a, b),
    );
    for (const [text] of ranked.slice(truthLimits.arrayElementsCount)) elements.delete(text);
  }

  function mutableElements(
    builder: StateBuilder,
    name: string,
    before: MergedArray | undefined,
  ): Map<string, SingleValue> {
    const known = builder.made.get(name);
    if (known !== undefined) return known;
    const elements = new Map(before?.elements);
    builder.made.set(name, elements);
    putField(builder, name, { elements });
    return elements;
  }

  /** [TR14] A correction replaces everything; only a newer one replaces it. */
  function correctArray(
    builder: StateBuilder,
    name: string,
    field: SchemaField,
    correction: Contributor,
    toAll: () => ReadonlyMap<string, SingleValue>,
  ): void {
    const before = expectMergedArray(currentField(builder, name), name);
    if (before?.correction !== undefined && compare(field, correction, before.correction) >= 0) return;
    const elements = new Map(toAll());
    builder.made.set(name, elements);
    putField(builder, name, { elements, correction });
  }

  /** [TR13] */
  function addElements(
    builder: StateBuilder,
    name: string,
    field: SchemaField,
    added: Iterable<readonly [string, SingleValue]>,
  ): void {
    const before = expectMergedArray(currentField(builder, name), name);
    if (before?.correction !== undefined) return;
    let elements = before?.elements;
    for (const [text, one] of added) {
      const known = elements?.get(text);
      if (known !== undefined && compare(field, one.contributor, known.contributor) >= 0) continue;
      const changing = mutableElements(builder, name, before);
      changing.set(text, one);
      elements = changing;
    }
    const changed = builder.made.get(name);
    if (changed !== undefined) trim(field, changed, truthLimits.untrimmedElementsCount);
  }

  function applyToArray(builder: StateBuilder, name: string, field: SchemaField, observation: Observation): void {
    const value = statedValue(observation, name, field);
    if (value === undefined) return;
    const contributor = toContributor(observation);
    if (observation.isCorrection) correctArray(builder, name, field, contributor, () => toElements(value, contributor));
    else addElements(builder, name, field, toElements(value, contributor));
  }

  /** Does not read the value of an observation that cannot win. */
  function applyToSingle(builder: StateBuilder, name: string, field: SchemaField, observation: Observation): void {
    const before = expectSingleValue(currentField(builder, name), name);
    if (before !== undefined && compare(field, observation, before.contributor) >= 0) return;
    const value = statedValue(observation, name, field);
    if (value !== undefined) putField(builder, name, { value, contributor: toContributor(observation) });
  }

  function apply(
    builder: StateBuilder,
    observation: Observation,
    fields: readonly (readonly [string, SchemaField])[],
  ): void {
    for (const [name, field] of fields) {
      if (isMerged(field)) applyToArray(builder, name, field, observation);
      else applyToSingle(builder, name, field, observation);
    }
  }

  function finishBuilding({ before, fields, made }: StateBuilder, schema: EntitySchema): EntityState {
    for (const [name, elements] of made) {
      trim(schema.fields[name]!, elements, truthLimits.arrayElementsCount);
    }
    return fields ?? before;
  }

  function joinField(builder: StateBuilder, name: string, field: SchemaField, other: FieldState): void {
    if (!isMerged(field)) {
      const one = expectSingleValue(other, name)!;
      const before = expectSingleValue(currentField(builder, name), name);
      if (before === undefined || compare(field, one.contributor, before.contributor) < 0) putField(builder, name, one);
      return;
    }
    const { elements, correction } = expectMergedArray(other, name)!;
    if (correction === undefined) addElements(builder, name, field, elements);
    else correctArray(builder, name, field, correction, () => elements);
  }

  return {
    applyObservation(state: EntityState, observation: Observation, schema: EntitySchema): EntityState {
      const builder = startBuilding(state);
      apply(builder, observation, Object.entries(schema.fields));
      return finishBuilding(builder, schema);
    },
    /** Both states must be of this schema version. Common observations count once. */
    joinStates(a: EntityState, b: EntityState, schema: EntitySchema): EntityState {
      const builder = startBuilding(a);
      for (const [name, other] of b) {
        const field = fieldOf(schema, name);
        if (field === undefined) throw otherSchemaError(name);
        joinField(builder, name, field, other);
      }
      return finishBuilding(builder, schema);
    },
    reduceAll(observations: Iterable<Observation>, schema: EntitySchema): EntityState {
      const builder = startBuilding(emptyState);
      const fields = Object.entries(schema.fields);
      for (const observation of observations) apply(builder, observation, fields);
      return finishBuilding(builder, schema);
    },
  };
}

export const { applyObservation, joinStates, reduceAll } = createReducer(compareContributors);
