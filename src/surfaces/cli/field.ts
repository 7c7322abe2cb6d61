import { isObject } from '#kernel/json/is-object.ts';
import type { Card, JsonSchema } from '#kernel/tool/card.ts';

/** How the text of a flag is parsed. `any`: as JSON if it is valid JSON, else as text. */
export type FieldKind = 'boolean' | 'integer' | 'number' | 'text' | 'json' | 'any';

export interface Field {
  readonly key: string;
  readonly flag: string;
  readonly kind: FieldKind;
  /** Set by repeating the flag. */
  readonly isList: boolean;
  readonly required: boolean;
  readonly about: string;
  readonly choices?: readonly string[];
  readonly fallback?: unknown;
}

/** Flags of every command. */
export const sharedFlags = ['json', 'input', 'idempotency-key', 'tenant', 'help'] as const;

const toKebab = (key: string): string =>
  key
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replaceAll(/[_\s]+/g, '-')
    .replace(/^-+/, '');

/** An argument with the name of a shared flag gets a prefix. */
function toFlag(key: string): string {
  const flag = toKebab(key);
  return (sharedFlags as readonly string[]).includes(flag) ? `arg-${flag}` : flag;
}

const isNull = (schema: JsonSchema): boolean => schema['type'] === 'null' || schema['const'] === null;

/** The alternatives of a union without null, which a flag cannot express. */
function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union))
    return union
      .filter(isObject)
      .filter((one) => !isNull(one))
      .flatMap(alternativesOf);
  const { type } = schema;
  if (Array.isArray(type))
    return type.filter((one) => one !== 'null').map((one: unknown) => ({ ...schema, type: one }));
  return [schema];
}

function kindOf(schema: JsonSchema): FieldKind {
  switch (schema['type']) {
    case 'boolean':
    case 'integer':
    case 'number':
      return schema['type'];
    case 'string':
      return 'text';
    case 'object':
    case 'array':
      return 'json';
    default:
      return Array.isArray(schema['enum']) && schema['enum'].every((one) => typeof one === 'string') ? 'text' : 'any';
  }
}

function shapeOf(schema: JsonSchema): Pick<Field, 'kind' | 'isList' | 'choices'> {
  const alternatives = alternativesOf(schema);
  const [only] = alternatives;
  if (only === undefined || alternatives.length > 1) {
    const kinds = new Set(alternatives.map(kindOf));
    return { kind: kinds.size === 1 ? [...kinds][0]! : 'any', isList: false };
  }
  if (only['type'] === 'array') {
    const items = only['items'];
    return { ...shapeOf(isObject(items) ? items : {}), isList: true };
  }
  const choices = Array.isArray(only['enum']) ? only['enum'].filter((one) => typeof one === 'string') : [];
  return { kind: kindOf(only), isList: false, ...(choices.length > 0 ? { choices } : {}) };
}

const boundText = ({ minimum, maximum }: JsonSchema): string => {
  const [min, max] = [
    typeof minimum === 'number' ? minimum : undefined,
    typeof maximum === 'number' ? maximum : undefined,
  ];
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  return max === undefined ? '' : `at most ${max}`;
};

function toField(key: string, schema: JsonSchema, required: boolean): Field {
  const described = typeof schema['description'] === 'string' ? schema['description'] : '';
  return {
    key,
    flag: toFlag(key),
    required: required && schema['default'] === undefined,
    about: [described, boundText(schema)].filter((part) => part !== '').join('; '),
    ...shapeOf(schema),
    ...(schema['default'] === undefined ? {} : { fallback: schema['default'] }),
  };
}

function fieldsOf(inputSchema: JsonSchema): readonly Field[] {
  const properties = isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  const required = Array.isArray(inputSchema['required']) ? inputSchema['required'] : [];
  return Object.entries(properties).map(([key, schema]) =>
    toField(key, isObject(schema) ? schema : {}, required.includes(key)),
  );
}

export const failOnKey = 'failOn';

/** `--fail-on` belongs to the command and is not an argument of the tool. `none`: whatever the tool finds. */
const failOnField = (levels: readonly string[]): Field => ({
  key: failOnKey,
  flag: toKebab(failOnKey),
  kind: 'text',
  isList: false,
  required: false,
  about: 'What ends the command with exit code 1',
  choices: [...levels, 'none'],
  fallback: levels[0],
});

export const fieldsOfTool = ({ inputSchema, failOn }: Pick<Card, 'inputSchema' | 'failOn'>): readonly Field[] =>
  failOn === undefined ? fieldsOf(inputSchema) : [...fieldsOf(inputSchema), failOnField(failOn)];
