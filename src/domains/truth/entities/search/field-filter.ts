import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { parseTime } from '../../iso-time.ts';
import type { Fields } from '../../observations/observation.ts';
import { truthLimits } from '../../truth-limits.ts';
import { fieldPattern } from '../../truth-vocabulary.ts';

/** Numbers are compared as they are, dates by their milliseconds. */
export type RangeKind = 'number' | 'date';

export type FieldFilter =
  | { readonly field: string; readonly is: string | number | boolean }
  /** Both bounds are inclusive. */
  | { readonly field: string; readonly kind: RangeKind; readonly min: number; readonly max: number };

const scalar = z.union([z.string().max(truthLimits.filterChars), z.number(), z.boolean()]);
const bound = z.union([z.number(), z.string().max(truthLimits.filterChars)]);
const range = z.strictObject({ min: bound.optional(), max: bound.optional() });

/** Passes the object itself on: a copy by the parser would silently drop a key called `__proto__`. */
export const fieldsInput = z
  .custom<Readonly<Record<string, unknown>>>(isObject, { error: 'must be object' })
  .meta({ type: 'object' })
  .describe('{status: "open", date: {min: "2026-01", max: …}}');

const refuse = (why: string, field: string) => faults.VALIDATION_ERROR({ why }, { field });

/** A year alone may as well be a number that was stored as text. */
const dateCharsMin = 7;

/** The start of a date; undefined for any other text. */
export function dateOf(text: string): number | undefined {
  return text.length < dateCharsMin || text.length > 40 ? undefined : parseTime(text)?.from;
}

function toBound(field: string, value: number | string, isMax: boolean): { kind: RangeKind; at: number } {
  if (typeof value === 'number') return { kind: 'number', at: value };
  const time = parseTime(value);
  if (time === undefined) throw refuse('min and max must be numbers or dates such as 2026-04-30', `fields.${field}`);
  return { kind: 'date', at: isMax ? time.end - 1 : time.from };
}

function toFilter(field: string, value: unknown): FieldFilter {
  if (!fieldPattern.test(field)) throw refuse('fields contains a name that no field can have', 'fields');
  const simple = scalar.safeParse(value);
  if (simple.success) return { field, is: simple.data };
  const parsed = range.safeParse(value);
  if (!parsed.success) {
    throw refuse('a filter is a text, a number, true, false, or an object with min or max', `fields.${field}`);
  }
  const { min, max } = parsed.data;
  const from = min === undefined ? undefined : toBound(field, min, false);
  const to = max === undefined ? undefined : toBound(field, max, true);
  const kind = from?.kind ?? to?.kind;
  if (kind === undefined) throw refuse('a range needs min, max or both', `fields.${field}`);
  if (to !== undefined && to.kind !== kind) throw refuse('min and max must be of one kind', `fields.${field}`);
  return { field, kind, min: from?.at ?? Number.NEGATIVE_INFINITY, max: to?.at ?? Number.POSITIVE_INFINITY };
}

export function toFieldFilters(fields: Readonly<Record<string, unknown>> | undefined): readonly FieldFilter[] {
  const names = Object.keys(fields ?? {});
  if (names.length > truthLimits.filtersCount) {
    throw refuse(`at most ${truthLimits.filtersCount} fields can be combined`, 'fields');
  }
  return names.map((name) => toFilter(name, fields![name]));
}

/** Text is compared without case and outer blanks. */
export const normaliseText = (text: string): string => text.normalize('NFC').trim().toLowerCase();

/** The value itself, or the elements of a list. */
export const scalarsOf = (value: Json | undefined): readonly Json[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly Json[]) : [value];

function matches(filter: FieldFilter, value: Json): boolean {
  if ('is' in filter) {
    const { is } = filter;
    return typeof is === 'string'
      ? typeof value === 'string' && normaliseText(value) === normaliseText(is)
      : value === is;
  }
  const at =
    filter.kind === 'number'
      ? typeof value === 'number'
        ? value
        : undefined
      : typeof value === 'string'
        ? dateOf(value)
        : undefined;
  return at !== undefined && at >= filter.min && at <= filter.max;
}

export const matchesFilter = (filter: FieldFilter, fields: Fields): boolean =>
  Object.hasOwn(fields, filter.field) && scalarsOf(fields[filter.field]).some((value) => matches(filter, value));
