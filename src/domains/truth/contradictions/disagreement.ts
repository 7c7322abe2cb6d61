import type { Json } from '#kernel/json/canonical.ts';
import { type ObservationRow, parseDetails } from '../entities/observed-store.ts';
import { toObservation } from '../entities/reduce-rows.ts';
import { parseTime, showTime } from '../iso-time.ts';
import type { Observation } from '../observations/observation.ts';
import { compareContributors, isNewerThan } from '../reducer/contributor.ts';
import { type EntitySchema, fieldOf, type SchemaField } from '../schemas/entity-schema.ts';
import { fitValue } from '../schemas/fit-value.ts';
import { truthLimits } from '../truth-limits.ts';
import { isSameValue } from './same-value.ts';

const { disputedSourcesCount, disputedValuesCount } = truthLimits;

/** A start as it was stated: `2026-05` can be any moment of May. */
export interface Span {
  readonly from: number;
  /** Exclusive. */
  readonly end: number;
}

type Started = Pick<ObservationRow, 'effective_at' | 'details'>;

export function startOf({ effective_at, details }: Started): Span {
  const { at_chars } = parseDetails(details);
  const stated = at_chars === undefined ? undefined : parseTime(showTime(effective_at, at_chars));
  return { from: effective_at, end: stated?.end ?? effective_at + 1 };
}

export const areOverlapping = (a: Span, b: Span): boolean => a.from < b.end && b.from < a.end;

const observations = new WeakMap<ObservationRow, Observation>();

/** Each row is compared with many others and parsed once. */
function observationOf(row: ObservationRow): Observation {
  const known = observations.get(row);
  if (known !== undefined) return known;
  const observation = toObservation(row);
  observations.set(row, observation);
  return observation;
}

const never = Number.POSITIVE_INFINITY;

/** The time for which both hold. */
const commonTime = (a: ObservationRow, b: ObservationRow): Span => ({
  from: Math.max(a.effective_at, b.effective_at),
  end: Math.min(a.effective_until ?? never, b.effective_until ?? never),
});

const isLastWrite = ({ strategy = 'last_write' }: SchemaField): boolean => strategy === 'last_write';

/** What the row states about a field; null: that it ended. Undefined: nothing. */
export function valueIn(row: ObservationRow, name: string, field: SchemaField): Json | undefined {
  const { fields, rawFragments, ended } = observationOf(row);
  if (ended.includes(name)) return null;
  for (const stated of [fields, rawFragments]) {
    const value = Object.hasOwn(stated, name) ? stated[name] : undefined;
    const fitted = value === undefined ? undefined : fitValue(field, value);
    if (fitted !== undefined) return fitted;
  }
  return undefined;
}

/** The fields of the row in which the last write wins. */
export function comparedFields(row: ObservationRow, schema: EntitySchema): readonly string[] {
  const { fields, rawFragments, ended } = observationOf(row);
  const names = new Set([...Object.keys(fields), ...Object.keys(rawFragments), ...ended]);
  return [...names].filter((name) => {
    const field = fieldOf(schema, name);
    return field !== undefined && isLastWrite(field);
  });
}

/** Corrections decide a field; they do not compete in it. */
const isCompeting = (row: ObservationRow): boolean => row.source_kind !== 'correction' && row.retracted_at === null;

/** [TR96] Neither begins after the other, and there is a time for which both hold. */
function areOfOneTime(a: ObservationRow, b: ObservationRow): boolean {
  const { from, end } = commonTime(a, b);
  return from < end && areOverlapping(startOf(a), startOf(b));
}

/** A merge says that both names mean one thing. */
const isOtherName = (a: ObservationRow, b: ObservationRow, name: string): boolean =>
  a.entity_id !== b.entity_id && (name === 'name' || name === 'title');

export function doDisagree(a: ObservationRow, b: ObservationRow, name: string, schema: EntitySchema): boolean {
  const field = fieldOf(schema, name);
  if (field === undefined || !isLastWrite(field) || a.origin === b.origin) return false;
  if (!isCompeting(a) || !isCompeting(b) || !areOfOneTime(a, b) || isOtherName(a, b, name)) return false;
  const [one, other] = [valueIn(a, name, field), valueIn(b, name, field)];
  return one !== undefined && other !== undefined && !isSameValue(one, other, name);
}

export interface Disagreement {
  readonly field: string;
  /** The one that was recorded first. */
  readonly first: ObservationRow;
  readonly second: ObservationRow;
}

const byRecording = (a: ObservationRow, b: ObservationRow): number =>
  a.created_at - b.created_at || (a.observation_id < b.observation_id ? -1 : 1);

/** A source that states a field again takes its earlier value back: its newest statement counts. */
function newestOfEach(rows: readonly ObservationRow[], name: string, field: SchemaField): readonly ObservationRow[] {
  const newest = new Map<string, ObservationRow>();
  for (const row of rows) {
    if (!isCompeting(row) || valueIn(row, name, field) === undefined) continue;
    const known = newest.get(row.origin);
    const isNewer = known === undefined || compareContributors(field, observationOf(row), observationOf(known)) < 0;
    if (isNewer) newest.set(row.origin, row);
  }
  return [...newest.values()].sort(byRecording);
}

/** Statements that say the same from the same time on, the newest ones first; only a few values of each field. */
function groupBySameValue(
  rows: readonly ObservationRow[],
  name: string,
  field: SchemaField,
): readonly (readonly ObservationRow[])[] {
  const groups: ObservationRow[][] = [];
  for (const row of rows.toReversed()) {
    const same = groups.find(([first]) => isSameStatement(row, first!, name, field));
    if (same === undefined && groups.length < disputedValuesCount) groups.push([row]);
    else if (same !== undefined && same.length < disputedSourcesCount) same.push(row);
  }
  return groups;
}

/** One pair for each two values: more sources of the same two values say nothing new. */
export function findDisagreements(
  rows: readonly ObservationRow[],
  names: Iterable<string>,
  schema: EntitySchema,
): readonly Disagreement[] {
  const found: Disagreement[] = [];
  for (const field of new Set(names)) {
    const definition = fieldOf(schema, field);
    if (definition === undefined || !isLastWrite(definition)) continue;
    const groups = groupBySameValue(newestOfEach(rows, field, definition), field, definition);
    for (const [i, some] of groups.entries()) {
      for (const others of groups.slice(i + 1)) {
        const pairs = some.flatMap((one) => others.map((other) => [one, other].sort(byRecording)));
        const pair = pairs.find(([one, other]) => doDisagree(one!, other!, field, schema));
        if (pair !== undefined) found.push({ field, first: pair[0]!, second: pair[1]! });
      }
    }
  }
  return found;
}

/** The same value from the same time on. */
function isSameStatement(a: ObservationRow, b: ObservationRow, name: string, field: SchemaField): boolean {
  const [one, other] = [valueIn(a, name, field), valueIn(b, name, field)];
  if (one === undefined || other === undefined || !areOverlapping(startOf(a), startOf(b))) return false;
  return isSameValue(one, other, name);
}

/** The same two values of one field at the same time. */
export function areAlike(a: Disagreement, b: Disagreement, schema: EntitySchema): boolean {
  const field = a.field === b.field ? fieldOf(schema, a.field) : undefined;
  if (field === undefined) return false;
  const isSame = (one: ObservationRow, other: ObservationRow): boolean => isSameStatement(one, other, a.field, field);
  return (
    (isSame(a.first, b.first) && isSame(a.second, b.second)) || (isSame(a.first, b.second) && isSame(a.second, b.first))
  );
}

/**
 * [TR98] The correction decides the field for the rest of the time of the disagreement; all of it, if that time is
 * over. One that gives way does not decide between two newer statements.
 */
export function doesSettle(correction: ObservationRow, { field, first, second }: Disagreement): boolean {
  if (correction.retracted_at !== null || !Object.hasOwn(observationOf(correction).fields, field)) return false;
  const { from, end } = commonTime(first, second);
  const isOver = end <= correction.created_at;
  const wantedFrom = isOver ? from : Math.max(from, correction.created_at);
  if (correction.effective_at > wantedFrom || (correction.effective_until ?? never) < end) return false;
  const by = observationOf(correction);
  return !by.isUntilNewer || ![first, second].every((row) => isNewerThan(observationOf(row), by));
}
