import type { z } from 'zod';
import { cutText } from '../fault/bound-fault.ts';
import { type Fault, withFix } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { findMeant, nearest, nearestNames } from '../text/edit-distance.ts';
import type { Card, JsonSchema } from './card.ts';
import type { ParamError } from './issues.ts';

type Schema = z.core.$ZodType;

/** The members of zod's definitions that lead to the schemas inside. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly options?: readonly Schema[];
  readonly getter?: () => Schema;
}

const definitionOf = (schema: Schema): Definition => schema._zod.def;

/** The objects that a schema may stand for, through wrappers and unions. */
function objectsOf(schema: Schema | undefined): readonly Schema[] {
  if (schema === undefined) return [];
  const { type, innerType, in: input, out, options, getter } = definitionOf(schema);
  if (type === 'pipe') return [...objectsOf(input), ...objectsOf(out)];
  if (type === 'lazy') return objectsOf(getter?.());
  if (type === 'union') return (options ?? []).flatMap(objectsOf);
  return innerType === undefined ? [schema] : objectsOf(innerType);
}

function stepInto(schema: Schema, step: PropertyKey): Schema | undefined {
  const { shape, element, valueType } = definitionOf(schema);
  if (typeof step === 'number') return element;
  if (shape === undefined) return valueType;
  return typeof step === 'string' && Object.hasOwn(shape, step) ? shape[step] : undefined;
}

/** The names that the schema knows at a place of the input. */
function knownKeys(input: Schema, path: readonly PropertyKey[]): readonly string[] {
  let schemas = objectsOf(input);
  for (const step of path) schemas = schemas.flatMap((schema) => objectsOf(stepInto(schema, step)));
  return [...new Set(schemas.flatMap((schema) => Object.keys(definitionOf(schema).shape ?? {})))];
}

const quotedChars = 60;
const quote = (text: string): string => `"${cutText(text, quotedChars)}"`;

/** A longer example would displace the rest of the fix. */
const exampleChars = 400;

function exampleOf({ guide }: Card): string {
  const example = guide?.example === undefined ? '' : JSON.stringify(guide.example);
  return example === '' || example.length > exampleChars ? '' : ` Example: ${example}`;
}

const listedCount = 40;

/** How deep an argument may be inside others, so that it is still found. */
const nestedDepth = 3;

/** Where the input has an argument of this name inside another one, such as `metadata.namespace`. */
function findNested(schema: JsonSchema, key: string, path = '', depth = 0): string | undefined {
  if (depth > nestedDepth) return undefined;
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (depth > 0 && Object.hasOwn(properties, key)) return `${path}${key}`;
  for (const [name, inner] of Object.entries(properties)) {
    const items = inner['items'] as JsonSchema | undefined;
    const found =
      findNested(inner, key, `${path}${name}.`, depth + 1) ??
      (items && findNested(items, key, `${path}${name}[].`, depth + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

interface UnknownKey {
  readonly key: string;
  readonly known: readonly string[];
  /** Required arguments that are not given. One of them is meant unless the name is a misspelled one. */
  readonly missing: readonly string[];
  readonly isTop: boolean;
}

function fixUnknownKey(card: Card, { key, known, missing, isTop }: UnknownKey): string {
  if (known.length === 0) return `Leave out ${quote(key)}: nothing is accepted there.`;
  const list = `Accepted: ${known.slice(0, listedCount).join(', ')}.`;
  const instead = isTop && Object.hasOwn(card.guide?.instead ?? {}, key) ? card.guide?.instead?.[key] : undefined;
  if (instead !== undefined) return `There is no ${quote(key)}: ${instead}. ${list}`;
  const nested = isTop ? findNested(card.inputSchema, key) : undefined;
  const meant = nested ?? findMeant(key, known) ?? nearest(key, missing);
  return `There is no ${quote(key)}${meant === undefined ? '.' : `; did you mean ${quote(meant)}?`} ${list}`;
}

function fixValue(given: unknown, values: readonly unknown[]): string {
  const allowed = values.slice(0, listedCount).map(String);
  const meant = typeof given === 'string' && given !== '' ? findMeant(given, allowed) : undefined;
  return `Use one of: ${allowed.join(', ')}.${meant === undefined ? '' : ` The nearest is ${quote(meant)}.`}`;
}

function schemaAt(schema: JsonSchema | undefined, path: readonly PropertyKey[]): JsonSchema | undefined {
  const [step, ...rest] = path;
  if (schema === undefined || step === undefined) return schema;
  const members = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
  const inner = typeof step === 'number' ? (schema['items'] as JsonSchema | undefined) : members?.[String(step)];
  return schemaAt(inner, rest);
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'a time such as 2026-05-01T10:30:00Z',
  date: 'a day such as 2026-05-01',
  uuid: 'a UUID',
  uri: 'an address such as https://example.com/',
};

const formOf = ({ format, type, enum: values }: JsonSchema): string | undefined => {
  if (Array.isArray(values))
    return values
      .slice(0, listedCount)
      .map((value) => JSON.stringify(value))
      .join(' or ');
  if (typeof format === 'string') return formats[format];
  return typeof type === 'string' ? `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}` : undefined;
};

/** What a place accepts, in words; empty unless every choice has some. */
function formsOf(schema: JsonSchema | undefined): readonly string[] {
  const choices = (schema?.['anyOf'] as readonly JsonSchema[] | undefined) ?? (schema === undefined ? [] : [schema]);
  const forms = choices.map(formOf);
  return forms.every((form) => form !== undefined) ? [...new Set(forms)] : [];
}

export const toMissingFix = (card: Card, name: string): string => `Add ${quote(name)}.${exampleOf(card)}`;

/** How to correct the first violation. `given` is the value at its place. */
export function toArgumentFix(
  card: Card,
  input: Schema,
  {
    path,
    error,
    given,
    missing,
  }: {
    readonly path: readonly PropertyKey[];
    readonly error: ParamError;
    readonly given: unknown;
    readonly missing: readonly string[];
  },
): string {
  const { keyword, params, instancePath, message } = error;
  switch (keyword) {
    case 'additionalProperties':
      return fixUnknownKey(card, {
        key: String(params['additionalProperty']),
        known: knownKeys(input, path),
        missing,
        isTop: path.length === 0,
      });
    case 'enum':
      return fixValue(given, params['allowedValues'] as readonly unknown[]);
    case 'required':
      return toMissingFix(card, String(params['missingProperty']));
    case 'pattern':
      if (params['pattern'] === '\\S') return `Correct ${instancePath}: it must not be blank.${exampleOf(card)}`;
      break;
    case 'maxLength':
      return `Shorten ${instancePath} to ${String(params['limit'])} characters, or send it in several calls.`;
    case 'anyOf':
    case 'format': {
      const forms = formsOf(schemaAt(card.inputSchema, path));
      if (forms.length > 0) return `Correct ${instancePath}: send ${forms.join(' or ')}.${exampleOf(card)}`;
      break;
    }
    default:
  }
  return `Correct ${instancePath || 'the arguments'}: ${cutText(message, 2 * quotedChars)}.${exampleOf(card)}`;
}

const toCorrect: ReadonlySet<string> = new Set(
  [faults.VALIDATION_ERROR, faults.INVALID_PARAMS].map(({ kind }) => kind.code),
);

/** What is wrong, as an instruction: the fix may be all that a client shows. */
function correctionOf({ message, details }: Fault): string {
  const why = cutText(message.replace(/^Invalid params: /, ''), 2 * exampleChars).replace(/\.$/, '');
  const { field } = details;
  if (typeof field !== 'string' || why.includes(field)) return `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`;
  return `Correct ${quote(field)}: ${why}.`;
}

/** A general fix becomes more useful with the reason and an example of the call. */
export const withExample = (card: Card, fault: Fault): Fault =>
  toCorrect.has(fault.code) && fault.fix === fault.kind.fix
    ? withFix(fault, `${correctionOf(fault)}${exampleOf(card)}`)
    : fault;

const nearCount = 3;

/** For a tool or method that does not exist. */
export function unknownNameFix(name: string, cards: readonly Card[]): string {
  const names = cards.filter(({ expose }) => expose.includes('mcp')).map(({ listedName }) => listedName);
  const near = nearestNames(name, names, nearCount).join(', ');
  const alike = near === '' ? '' : `The nearest names are ${near}. `;
  return `${alike}tools_find finds a tool by a few words that describe the task.`;
}

export const unknownTool = (name: string, cards: readonly Card[]): Fault =>
  faults.UNKNOWN_TOOL({ name: name.slice(0, 200) }, { fix: unknownNameFix(name, cards) });
