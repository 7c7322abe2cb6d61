import type { z } from 'zod';
import { cutText } from '../fault/bound-fault.ts';
import { pointerStep, toPointer } from '../json/is-object.ts';
import { limits } from '../limits.ts';

/** One violation of the input schema, in the format of Ajv, which documented clients read. */
export interface ParamError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

type Path = readonly PropertyKey[];

/** Keys come from the client. They are cut before any other work, because an error repeats them up to five times. */
const quotedChars = 100;
const pointerChars = 500;
const messageChars = 500;

const quoted = <K extends PropertyKey>(key: K): K => (typeof key === 'string' ? (cutText(key, quotedChars) as K) : key);

const toInstancePath = (path: Path): string => cutText(toPointer(path.map(quoted)), pointerChars);

const toSchemaPointer = (path: Path): string =>
  cutText(
    `#${path.map((part) => (typeof part === 'number' ? '/items' : `/properties${pointerStep(quoted(part))}`)).join('')}`,
    pointerChars,
  );

interface IssueText {
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const sizeUnits: Readonly<Record<string, string>> = {
  string: 'Length',
  array: 'Items',
  set: 'Items',
  map: 'Properties',
};

function describeSize(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): IssueText {
  const isMin = issue.code === 'too_small';
  const limit = isMin ? issue.minimum : issue.maximum;
  const unit = sizeUnits[issue.origin];
  if (unit !== undefined) {
    const what = unit === 'Length' ? 'characters' : 'items';
    const message = `must NOT have ${isMin ? 'fewer' : 'more'} than ${limit} ${what}`;
    return { keyword: `${isMin ? 'min' : 'max'}${unit}`, message, params: { limit } };
  }
  const isExclusive = issue.inclusive === false;
  const comparison = `${isMin ? '>' : '<'}${isExclusive ? '' : '='}`;
  const edge = isMin ? 'inimum' : 'aximum';
  const keyword = isExclusive ? `exclusiveM${edge}` : `m${edge}`;
  return { keyword, message: `must be ${comparison} ${limit}`, params: { comparison, limit } };
}

function describeValue(values: readonly unknown[]): IssueText {
  if (values.length === 1) {
    const message = `must be equal to constant: ${JSON.stringify(values[0])}`;
    return { keyword: 'const', message, params: { allowedValue: values[0] } };
  }
  const message = `must be equal to one of the allowed values: ${values.map(String).join(', ')}`;
  return { keyword: 'enum', message, params: { allowedValues: values } };
}

/** The JSON Schema names of types that zod names differently. */
const typeNames: Readonly<Record<string, string>> = { int: 'integer', record: 'object', map: 'object', tuple: 'array' };

/** zod writes a pattern as a literal, `/^a$/i`; JSON Schema has only the source. */
const bareSource = (pattern: string): string => pattern.slice(1, pattern.lastIndexOf('/'));

function describeFormat(issue: z.core.$ZodIssueInvalidStringFormat): IssueText {
  if (issue.format !== 'regex') {
    return { keyword: 'format', message: `must match format "${issue.format}"`, params: { format: issue.format } };
  }
  const pattern = bareSource(issue.pattern ?? '');
  return { keyword: 'pattern', message: `must match pattern "${pattern}"`, params: { pattern } };
}

function describeIssue(issue: z.core.$ZodIssue): readonly IssueText[] {
  switch (issue.code) {
    case 'invalid_type': {
      const type = typeNames[issue.expected] ?? issue.expected;
      return [{ keyword: 'type', message: `must be ${type}`, params: { type } }];
    }
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, limits.paramErrorsCount)
        .map(quoted)
        .map((key) => ({
          keyword: 'additionalProperties',
          message: `must NOT have additional properties ('${key}')`,
          params: { additionalProperty: key },
        }));
    case 'too_big':
    case 'too_small':
      return [describeSize(issue)];
    case 'invalid_value':
      return [describeValue(issue.values)];
    case 'invalid_format':
      return [describeFormat(issue)];
    case 'not_multiple_of': {
      const { divisor } = issue;
      return [{ keyword: 'multipleOf', message: `must be multiple of ${divisor}`, params: { multipleOf: divisor } }];
    }
    case 'invalid_union':
      if ('options' in issue && issue.options !== undefined) return [describeValue(issue.options)];
      return [{ keyword: 'anyOf', message: 'must match a schema in anyOf', params: {} }];
    case 'invalid_key':
      return [
        {
          keyword: 'propertyNames',
          message: 'property name must be valid',
          params: { propertyName: quoted(issue.path.at(-1) ?? '') },
        },
      ];
    default:
      return [{ keyword: 'custom', message: issue.message, params: {} }];
  }
}

export function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const part of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** zod reports a missing member as a wrong type or value; Ajv reports `required` at the enclosing object. */
function missingMember(issue: z.core.$ZodIssue, input: unknown): PropertyKey | undefined {
  const last = issue.path.at(-1);
  if (last === undefined || typeof last === 'number') return undefined;
  return issue.code !== 'custom' && valueAt(input, issue.path) === undefined ? last : undefined;
}

const toParamError = (path: Path, { keyword, message, params }: IssueText): ParamError => ({
  instancePath: toInstancePath(path),
  keyword,
  message: cutText(message, messageChars),
  schemaPath: `${toSchemaPointer(path)}/${keyword}`,
  params,
});

function fromIssue(issue: z.core.$ZodIssue, input: unknown): readonly ParamError[] {
  const missing = missingMember(issue, input);
  if (missing !== undefined) {
    const message = `must have required property '${String(missing)}'`;
    return [
      toParamError(issue.path.slice(0, -1), { keyword: 'required', message, params: { missingProperty: missing } }),
    ];
  }
  const path = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path;
  return describeIssue(issue).map((text) => toParamError(path, text));
}

export interface ParamErrors {
  /** The first ones. */
  readonly errors: readonly ParamError[];
  /** Of all that were found; a long list is not checked to its end. */
  readonly total: number;
}

const countOf = (issue: z.core.$ZodIssue): number => (issue.code === 'unrecognized_keys' ? issue.keys.length : 1);

/** `input` is the parsed value: zod's issues do not contain it. */
export function toParamErrors(issues: readonly z.core.$ZodIssue[], input: unknown): ParamErrors {
  const errors: ParamError[] = [];
  for (const issue of issues) {
    if (errors.length >= limits.paramErrorsCount) break;
    errors.push(...fromIssue(issue, input));
  }
  const total = issues.reduce((sum, issue) => sum + countOf(issue), 0);
  return { errors: errors.slice(0, limits.paramErrorsCount), total };
}
