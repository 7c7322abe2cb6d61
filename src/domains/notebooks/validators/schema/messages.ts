import type { Violation } from './violations.ts';

const shownChars = 60;

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > shownChars ? `${text.slice(0, shownChars)}…` : text;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

const list = (says: unknown): string => {
  const items = Array.isArray(says) ? says : [says];
  const shown = items.slice(0, 10).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  return shown.join(', ') + (items.length > shown.length ? `, … (${items.length} in all)` : '');
};

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : Object.keys(value ?? {}).length;

function missingNames(says: unknown, value: unknown): readonly string[] {
  const names = Array.isArray(says) ? (says as readonly unknown[]) : [];
  return names.filter((name): name is string => typeof name === 'string' && !Object.hasOwn(value ?? {}, name));
}

function duplicateOf(value: unknown): string {
  const items = (Array.isArray(value) ? value : []).map((item) => JSON.stringify(item));
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const first = seen.get(item);
    if (first !== undefined) return `items ${first} and ${index} are equal`;
    seen.set(item, index);
  }
  return 'two items are equal';
}

type Describe = (says: unknown, value: unknown, violation: Violation) => string;

const descriptions: Readonly<Record<string, Describe>> = {
  type: (says, value) => `expected ${Array.isArray(says) ? says.join(' or ') : String(says)}, found ${typeOf(value)}`,
  required: (says, value) => `missing ${list(missingNames(says, value))}`,
  enum: (says, value) => `${show(JSON.stringify(value))} is none of ${list(says)}`,
  const: (says, value) => `expected ${show(says)}, found ${show(JSON.stringify(value))}`,
  minimum: (says, value) => `${show(value)} is less than ${show(says)}`,
  maximum: (says, value) => `${show(value)} is more than ${show(says)}`,
  exclusiveMinimum: (says, value) => `${show(value)} is not more than ${show(says)}`,
  exclusiveMaximum: (says, value) => `${show(value)} is not less than ${show(says)}`,
  multipleOf: (says, value) => `${show(value)} is not a multiple of ${show(says)}`,
  minLength: (says, value) => `has ${lengthOf(value)} characters, needs at least ${show(says)}`,
  maxLength: (says, value) => `has ${lengthOf(value)} characters, may have at most ${show(says)}`,
  minItems: (says, value) => `has ${lengthOf(value)} items, needs at least ${show(says)}`,
  maxItems: (says, value) => `has ${lengthOf(value)} items, may have at most ${show(says)}`,
  minProperties: (says, value) => `has ${lengthOf(value)} properties, needs at least ${show(says)}`,
  maxProperties: (says, value) => `has ${lengthOf(value)} properties, may have at most ${show(says)}`,
  pattern: (says, value) => `${show(JSON.stringify(value))} does not match ${show(String(says))}`,
  uniqueItems: (_, value) => `items must differ: ${duplicateOf(value)}`,
  contains: () => 'too few or too many items match contains',
  not: () => 'matches the schema in not',
  anyOf: () => 'matches none of the schemas in anyOf',
  oneOf: (says, _, { below }) =>
    below.length < (Array.isArray(says) ? says.length : 0)
      ? 'matches more than one of the schemas in oneOf'
      : 'matches none of the schemas in oneOf',
  dependentRequired: (says, value) => describeDependency(says, value),
  dependencies: (says, value) => describeDependency(says, value),
  false: (_, value) => `is not allowed here (found ${typeOf(value)})`,
};

function describeDependency(says: unknown, value: unknown): string {
  const entries = (Array.isArray(says) ? says : []) as readonly (readonly [string, unknown])[];
  const broken = entries.find(
    ([name, needed]) => Object.hasOwn(value ?? {}, name) && missingNames(needed, value).length > 0,
  );
  return broken === undefined
    ? 'does not have what another property requires'
    : `has ${broken[0]} and so needs ${list(missingNames(broken[1], value))}`;
}

/** Keywords that reject a member with the schema `false`. */
const forbids: Readonly<Record<string, string>> = {
  additionalProperties: 'is not a property of the schema',
  unevaluatedProperties: 'is not a property of the schema',
  additionalItems: 'is one item too many',
  unevaluatedItems: 'is one item too many',
  items: 'is one item too many',
};

export function toMessage(violation: Violation): string {
  const { keyword, says, value, instance, schemaLocation } = violation;
  const place = instance === '' ? 'the document' : instance;
  const owner = schemaLocation.slice(schemaLocation.lastIndexOf('/') + 1);
  if (keyword === 'false' && Object.hasOwn(forbids, owner)) return `${place} ${forbids[owner]}`;
  const say = Object.hasOwn(descriptions, keyword) ? descriptions[keyword]! : () => `does not satisfy ${keyword}`;
  const what = say(says, value, violation);
  return /^(?:has|is|matches|does) /.test(what) ? `${place} ${what}` : `${place}: ${what}`;
}
