import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Observation } from '../observations/observation.ts';
import { commonFields, type EntitySchema, fieldOf, type SchemaField } from '../schemas/entity-schema.ts';
import { fitValue } from '../schemas/fit-value.ts';
import { truthLimits } from '../truth-limits.ts';
import {
  type CompareContributors,
  type Contributor,
  compareContributors,
  isNewerThan,
  toContributor,
} from './contributor.ts';
import {
  byText,
  type EntityState,
  emptyState,
  type FieldState,
  guardOf,
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
    putField(builder, name, { ...before, elements });
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
    const last = before?.over?.correction ?? before?.correction;
    if (last !== undefined && compare(field, correction, last) >= 0) return;
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
    const ended = before?.ended;
    let elements = before?.elements;
    for (const [text, one] of added) {
      if (ended !== undefined && compare(field, one.contributor, ended) >= 0) continue;
      const known = elements?.get(text);
      if (known !== undefined && compare(field, one.contributor, known.contributor) >= 0) continue;
      const changing = mutableElements(builder, name, before);
      changing.set(text, one);
      elements = changing;
    }
    const changed = builder.made.get(name);
    if (changed !== undefined) trim(field, changed, truthLimits.untrimmedElementsCount);
  }

  /** Removes the elements that were stated before the field ended. */
  function endArray(builder: StateBuilder, name: string, field: SchemaField, ended: Contributor): void {
    const before = expectMergedArray(currentField(builder, name), name);
    if (before?.correction !== undefined) return;
    if (before?.ended !== undefined && compare(field, ended, before.ended) >= 0) return;
    const kept = [...(before?.elements ?? [])].filter(([, { contributor }]) => compare(field, contributor, ended) < 0);
    const elements = new Map(kept);
    builder.made.set(name, elements);
    putField(builder, name, { ...before, elements, ended });
  }

  function applyToArray(builder: StateBuilder, name: string, field: SchemaField, observation: Observation): void {
    const contributor = toContributor(observation);
    const value = observation.ended.includes(name) ? null : statedValue(observation, name, field);
    if (value === undefined) return;
    if (observation.isCorrection) correctArray(builder, name, field, contributor, () => toElements(value, contributor));
    else if (value === null) endArray(builder, name, field, contributor);
    else addElements(builder, name, field, toElements(value, contributor));
  }

  /** Does not read the value of an observation that cannot win. */
  function applyToSingle(builder: StateBuilder, name: string, field: SchemaField, observation: Observation): void {
    const before = expectSingleValue(currentField(builder, name), name);
    const rival = observation.isCorrection ? (before?.over ?? before) : before;
    if (rival !== undefined && compare(field, observation, rival.contributor) >= 0) return;
    const value = observation.ended.includes(name) ? null : statedValue(observation, name, field);
    if (value === undefined) return;
    const over = observation.isCorrection ? undefined : before?.over;
    putField(builder, name, {
      value,
      contributor: toContributor(observation),
      ...(over === undefined ? {} : { over }),
    });
  }

  /** The correction steps aside, and the field continues with what is newer. */
  function yieldCorrection(builder: StateBuilder, name: string, before: FieldState): void {
    if (isMergedArray(before)) {
      const elements = new Map<string, SingleValue>();
      builder.made.set(name, elements);
      putField(builder, name, { elements, over: before });
    } else {
      builder.fields ??= new Map(builder.before);
      builder.fields.delete(name);
    }
  }

  /**
   * Applies an observation after all that were recorded before it, so a correction that gives way to newer statements
   * can do so now.
   */
  function applyNext(builder: StateBuilder, name: string, field: SchemaField, observation: Observation): void {
    const before = currentField(builder, name);
    const guard = before === undefined || observation.isCorrection ? undefined : guardOf(before);
    if (before === undefined || guard === undefined) {
      applyField(builder, name, field, observation);
      return;
    }
    const isStated = observation.ended.includes(name) || statedValue(observation, name, field) !== undefined;
    if (!isStated || !isNewerThan(observation, guard)) return;
    if (before.over === undefined) yieldCorrection(builder, name, before);
    applyField(builder, name, field, observation);
    const after = currentField(builder, name);
    if (after !== undefined && !isMergedArray(after) && after.over === undefined) {
      putField(builder, name, { ...after, over: (before.over ?? before) as SingleValue });
    }
  }

  function applyField(builder: StateBuilder, name: string, field: SchemaField, observation: Observation): void {
    if (isMerged(field)) applyToArray(builder, name, field, observation);
    else applyToSingle(builder, name, field, observation);
  }

  /** Only what it states: an open schema has any field. */
  function fieldsOf(observation: Observation, schema: EntitySchema): readonly (readonly [string, SchemaField])[] {
    if (schema.open !== true) return Object.entries({ ...commonFields, ...schema.fields });
    const names = new Set([
      ...Object.keys(observation.fields),
      ...Object.keys(observation.rawFragments),
      ...observation.ended,
    ]);
    return [...names].map((name) => [name, fieldOf(schema, name)!] as const);
  }

  function apply(builder: StateBuilder, observation: Observation, schema: EntitySchema): void {
    for (const [name, field] of fieldsOf(observation, schema)) applyField(builder, name, field, observation);
  }

  function finishBuilding({ before, fields, made }: StateBuilder, schema: EntitySchema): EntityState {
    for (const [name, elements] of made) {
      trim(fieldOf(schema, name)!, elements, truthLimits.arrayElementsCount);
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
    const { elements, correction, ended } = expectMergedArray(other, name)!;
    if (correction !== undefined) correctArray(builder, name, field, correction, () => elements);
    if (ended !== undefined) endArray(builder, name, field, ended);
    if (correction === undefined) addElements(builder, name, field, elements);
  }

  return {
    /** The observation was recorded after those of the state. */
    applyObservation(state: EntityState, observation: Observation, schema: EntitySchema): EntityState {
      const builder = startBuilding(state);
      for (const [name, field] of fieldsOf(observation, schema)) applyNext(builder, name, field, observation);
      return finishBuilding(builder, schema);
    },
    /**
     * Both states must be of this schema version, and no correction in them gives way to newer statements: whether it
     * does depends on observations that the states no longer hold. Common observations count once.
     */
    joinStates(a: EntityState, b: EntityState, schema: EntitySchema): EntityState {
      const builder = startBuilding(a);
      for (const [name, other] of b) {
        const field = fieldOf(schema, name);
        if (field === undefined) throw otherSchemaError(name);
        joinField(builder, name, field, other);
      }
      return finishBuilding(builder, schema);
    },
    /** Ignores that corrections can give way: see `reduceNewer`. */
    reduceAll(observations: Iterable<Observation>, schema: EntitySchema): EntityState {
      const builder = startBuilding(emptyState);
      for (const observation of observations) apply(builder, observation, schema);
      return finishBuilding(builder, schema);
    },
    /** The fields of `state` that a correction decides which gives way, reduced from what is newer than it. */
    reduceNewer(before: EntityState, state: EntityState, observations: Iterable<Observation>, schema: EntitySchema) {
      const builder = startBuilding(before);
      for (const observation of observations) {
        for (const [name, field] of fieldsOf(observation, schema)) {
          const corrected = state.get(name);
          const guard = corrected === undefined ? undefined : guardOf(corrected);
          if (guard === undefined || !isNewerThan(observation, guard)) continue;
          // An empty list adds no element, but the correction gives way to it.
          const isList = isMerged(field) && currentField(builder, name) === undefined;
          if (isList && statedValue(observation, name, field) !== undefined) mutableElements(builder, name, undefined);
          applyField(builder, name, field, observation);
        }
      }
      return finishBuilding(builder, schema);
    },
    /** `newer` takes the place of the corrections that give way to it. */
    replaceCorrections(state: EntityState, newer: EntityState): EntityState {
      const result = new Map(state);
      for (const [name, field] of newer) result.set(name, { ...field, over: state.get(name) } as FieldState);
      return result;
    },
  };
}

export const { applyObservation, joinStates, reduceAll, reduceNewer, replaceCorrections } =
  createReducer(compareContributors);

/** Whether a correction of the state gives way, or gave way, to newer statements. */
export const hasGuard = (state: EntityState): boolean =>
  [...state.values()].some((field) => guardOf(field) !== undefined);
