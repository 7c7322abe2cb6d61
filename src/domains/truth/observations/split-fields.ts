import type { Json } from '#kernel/json/canonical.ts';
import type { Fields } from '../reducer/observed.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { fitValue } from '../schemas/fit-value.ts';

export interface SplitFields {
  readonly fields: Fields;
  readonly rawFragments: Fields;
  readonly specificity: number;
}

/** To four decimals, so that it is the same number wherever it is printed. */
const toShare = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;

/** [TR10] [TR11] */
export function splitFields(schema: EntitySchema, stated: Readonly<Record<string, Json | undefined>>): SplitFields {
  const fields: [string, Json][] = [];
  const rawFragments: [string, Json][] = [];
  for (const [name, value] of Object.entries(stated)) {
    if (value === null || value === undefined) continue;
    const field = Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined;
    const fitting = field === undefined ? undefined : fitValue(field, value);
    if (fitting === undefined) rawFragments.push([name, value]);
    else fields.push([name, fitting]);
  }
  return {
    fields: Object.fromEntries(fields),
    rawFragments: Object.fromEntries(rawFragments),
    specificity: toShare(fields.length, Object.keys(schema.fields).length),
  };
}
