import type { Json } from '#kernel/json/canonical.ts';
import { type EntitySchema, fieldOf, type SchemaField } from '../schemas/entity-schema.ts';
import { type Credit, compareCredits } from './credit.ts';
import { byText, type EntityState, type FieldState, isMany, sortedEntries } from './entity-state.ts';

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
