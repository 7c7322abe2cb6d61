import type { Json } from '#kernel/json/canonical.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import type { Fields } from '../../observations/observation.ts';
import { truthLimits } from '../../truth-limits.ts';
import { dateOf, type FieldFilter, normaliseText, type RangeKind, scalarsOf } from './field-filter.ts';

/** Few buckets keep the facet index small; hits are checked afterwards. */
function bucketOf(text: string): string {
  // FNV-1a.
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(36);
}

/** Marks a value that an entity had at another time. */
const pastMark = '-';
/** Means every value of an entity that has too many of them. */
const anyBucket = '*';

const view = new DataView(new ArrayBuffer(8));
/** Numbers outside share the outermost steps, which keeps the cover of an open range short. */
const largest = 2 ** 64;
const smallest = 2 ** -16;
/** From a power of two to the next: a step is about three days of a date of today. */
const octaveSteps = 4_096;
const zeroStep = (64 + 16 + 2) * octaveSteps;

/** A whole number in the order of the values: the exponent of a double, then the beginning of its mantissa. */
function stepOf(value: number): number {
  const size = Math.min(largest, Math.abs(value));
  if (size < smallest) return zeroStep;
  view.setFloat64(0, size);
  const bits = view.getUint32(0);
  const octave = ((bits >>> 20) & 0x7ff) - 1_023 + 17;
  const step = octave * octaveSteps + ((bits >>> 8) & 0xfff);
  return value < 0 ? zeroStep - step : zeroStep + step;
}

/** Steps per bucket, from narrow to wide. */
const widths = [1, 32, 1_024] as const;
const widening = 32;

const rangeKey = (field: string, kind: RangeKind, width: number, bucket: number): string =>
  `${field}\0${kind}\0${width}\0${bucket}`;

const rangeKeys = (field: string, kind: RangeKind, value: number): readonly string[] =>
  widths.map((width) => rangeKey(field, kind, width, Math.floor(stepOf(value) / width)));

/** Narrow buckets at both ends and wide ones between them. */
function coverKeys(field: string, kind: RangeKind, min: number, max: number): readonly string[] {
  const keys: string[] = [];
  let [from, to] = [stepOf(min), stepOf(max)];
  for (const width of widths) {
    const isWidest = width === widths.at(-1);
    const add = (bucket: number) => keys.push(rangeKey(field, kind, width, bucket));
    for (; from <= to && (isWidest || from % widening !== 0); from += 1) add(from);
    for (; from <= to && (to + 1) % widening !== 0; to -= 1) add(to);
    from = Math.floor(from / widening);
    to = Math.floor((to + 1) / widening) - 1;
  }
  return keys;
}

const textKey = (field: string, text: string): string => `${field}\0text\0${normaliseText(text)}`;
const truthKey = (field: string, value: boolean): string => `${field}\0truth\0${value}`;

function keysOfValue(field: string, value: Json): readonly string[] {
  if (typeof value === 'boolean') return [truthKey(field, value)];
  if (typeof value === 'number') return rangeKeys(field, 'number', value);
  if (typeof value !== 'string') return [];
  const date = dateOf(value);
  return [textKey(field, value), ...(date === undefined ? [] : rangeKeys(field, 'date', date))];
}

function bucketsOf(fields: Fields): ReadonlySet<string> {
  const buckets = new Set<string>();
  for (const [field, value] of Object.entries(fields)) {
    for (const one of scalarsOf(value)) {
      for (const key of keysOfValue(field, one)) buckets.add(bucketOf(key));
      if (buckets.size > truthLimits.entityFacetsCount) return buckets;
    }
  }
  return buckets;
}

/** `past`: earlier values; undefined if they are too many to know. */
export function toFieldFacets(current: Fields, past: readonly Fields[] | undefined): readonly string[] {
  const { entityFacetsCount } = truthLimits;
  const now = bucketsOf(current);
  if (now.size > entityFacetsCount) return [anyBucket, `${pastMark}${anyBucket}`];
  const then = new Set<string>();
  for (const fields of past ?? []) {
    for (const bucket of bucketsOf(fields)) if (!now.has(bucket)) then.add(bucket);
    if (then.size > entityFacetsCount) break;
  }
  const isKnown = past !== undefined && then.size <= entityFacetsCount;
  return [...now, ...(isKnown ? [...then].map((bucket) => pastMark + bucket) : [`${pastMark}${anyBucket}`])].sort();
}

export const fieldFacet = 'field';

/** Matches every entity with these values now, or with `isPast` at any time, and few others. */
export const toFacetFilters = (filters: readonly FieldFilter[], isPast: boolean): readonly FacetFilter[] =>
  filters.map((filter) => {
    const keys =
      'is' in filter
        ? typeof filter.is === 'string'
          ? [textKey(filter.field, filter.is)]
          : typeof filter.is === 'boolean'
            ? [truthKey(filter.field, filter.is)]
            : coverKeys(filter.field, 'number', filter.is, filter.is)
        : coverKeys(filter.field, filter.kind, filter.min, filter.max);
    const buckets = [...new Set([...keys.map(bucketOf), anyBucket])];
    return { key: fieldFacet, any: isPast ? buckets.flatMap((bucket) => [bucket, pastMark + bucket]) : buckets };
  });
