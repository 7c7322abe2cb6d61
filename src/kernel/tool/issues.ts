import type { z } from 'zod';

/** One place where arguments do not fit, in the shape Ajv gives it (the documents' clients read that). */
export interface ParamError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const pointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const schemaPointer = (path: readonly PropertyKey[]): string =>
  `#${path.map((part) => (typeof part === 'number' ? '/items' : `/properties/${String(part)}`)).join('')}`;

interface Told {
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly at?: PropertyKey;
}

const sizeUnits: Readonly<Record<string, string>> = { string: 'Length', array: 'Items', set: 'Items', map: 'Properties' };

function tellSize(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): Told {
  const isMin = issue.code === 'too_small';
  const limit = isMin ? issue.minimum : issue.maximum;
  const unit = sizeUnits[issue.origin];
  if (unit !== undefined) {
    const what = unit === 'Length' ? 'characters' : 'items';
    const message = `must NOT have ${isMin ? 'fewer' : 'more'} than ${limit} ${what}`;
    return { keyword: `${isMin ? 'min' : 'max'}${unit}`, message, params: { limit } };
  }
  const comparison = isMin ? '>=' : '<=';
  return { keyword: isMin ? 'minimum' : 'maximum', message: `must be ${comparison} ${limit}`, params: { comparison, limit } };
}

function tell(issue: z.core.$ZodIssue): readonly Told[] {
  switch (issue.code) {
    case 'invalid_type': {
      const missing = issue.path.at(-1);
      if (issue.input === undefined && missing !== undefined && typeof missing !== 'number') {
        const message = `must have required property '${String(missing)}'`;
        return [{ keyword: 'required', message, params: { missingProperty: missing }, at: missing }];
      }
      return [{ keyword: 'type', message: `must be ${issue.expected}`, params: { type: issue.expected } }];
    }
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        keyword: 'additionalProperties',
        message: `must NOT have additional properties ('${key}')`,
        params: { additionalProperty: key },
      }));
    case 'too_big':
    case 'too_small':
      return [tellSize(issue)];
    case 'invalid_value':
      return [
        {
          keyword: 'enum',
          message: `must be equal to one of the allowed values: ${issue.values.map(String).join(', ')}`,
          params: { allowedValues: issue.values },
        },
      ];
    case 'invalid_format':
      return issue.format === 'regex'
        ? [{ keyword: 'pattern', message: `must match pattern "${issue.pattern}"`, params: { pattern: issue.pattern } }]
        : [{ keyword: 'format', message: `must match format "${issue.format}"`, params: { format: issue.format } }];
    case 'not_multiple_of':
      return [{ keyword: 'multipleOf', message: `must be multiple of ${issue.divisor}`, params: { multipleOf: issue.divisor } }];
    case 'invalid_union':
      return [{ keyword: 'anyOf', message: 'must match a schema in anyOf', params: {} }];
    default:
      return [{ keyword: 'custom', message: issue.message, params: {} }];
  }
}

export const toParamErrors = (issues: readonly z.core.$ZodIssue[]): readonly ParamError[] =>
  issues.flatMap((issue) =>
    tell(issue).map(({ keyword, message, params, at }) => {
      const path = at === undefined ? issue.path : issue.path.slice(0, -1);
      return {
        instancePath: pointer(path),
        keyword,
        message,
        schemaPath: `${schemaPointer(path)}/${keyword}`,
        params,
      };
    }),
  );
