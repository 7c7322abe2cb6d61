import { z } from 'zod';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import { showMoment } from '../iso-time.ts';
import type { StatedPeriod } from '../observations/observation.ts';
import type { Contributor } from '../reducer/contributor.ts';
import { type EntityState, type FieldState, isMergedArray } from '../reducer/entity-state.ts';
import { type EntitySchema, fieldOf, type SchemaField } from '../schemas/entity-schema.ts';
import { readValue } from '../schemas/fit-value.ts';
import { shorten } from '../schemas/review-statement.ts';
import { truthLimits } from '../truth-limits.ts';

const overruledValue = z.object({
  field: z.string(),
  value: z.unknown().optional().describe('As stated; absent: that it ended'),
  shown: z.unknown().describe('What the snapshot shows instead; null: that it ended'),
  since: z.string().describe('Since when that holds'),
  why: z.string(),
});
export type OverruledValue = Readonly<z.output<typeof overruledValue>>;

/** What became of a fact: part of its answer. */
export const outcomeFields = {
  changes_at: z.string().optional().describe('When `changes` take effect, if not now'),
  overruled: z.array(overruledValue).optional().describe('Recorded, but another statement decides the snapshot'),
};

/** The observation that a fact has added, and what it states. */
export interface StatedFact {
  readonly observationIds: ReadonlySet<string>;
  readonly effectiveAt: number;
  readonly priority: number;
  readonly fields: Readonly<Record<string, Json>>;
  readonly ended: readonly string[];
}

/** Without a given start a statement holds from when it was read or recorded. */
const isStartAssumed = ({ effectiveAt, observedAt, recordedAt }: Contributor): boolean =>
  effectiveAt === Math.min(observedAt, recordedAt);

function reasonFor(field: SchemaField, winner: Contributor, { effectiveAt, priority }: StatedFact): string {
  if (winner.isCorrection) return 'it is a correction, which decides until it is corrected again or retracted';
  const { strategy = 'last_write' } = field;
  if (strategy === 'highest_priority' && winner.priority > priority)
    return `its source has the priority ${winner.priority}, this one ${priority}`;
  if (strategy === 'most_specific' && winner.effectiveAt <= effectiveAt) return 'its source states more fields';
  if (winner.effectiveAt > effectiveAt) {
    const assumed = isStartAssumed(winner) ? ' (recorded then, without effective_at)' : '';
    return `it holds since ${showMoment(winner.effectiveAt)}${assumed}, this one since ${showMoment(effectiveAt)}`;
  }
  return winner.priority > priority
    ? `its source has the priority ${winner.priority}, this one ${priority}`
    : 'it was stated later';
}

/** The statement that decides a field instead of this one, and what it shows. */
function deciderOf(state: FieldState, value: Json | undefined): { shown: Json; winner: Contributor } | undefined {
  if (!isMergedArray(state)) {
    const isSame = canonicalJson(state.value) === canonicalJson(value ?? null);
    return isSame ? undefined : { shown: state.value, winner: state.contributor };
  }
  const { elements, correction, ended } = state;
  const winner = correction ?? ended;
  if (winner === undefined || value === undefined) return undefined;
  const stated = (Array.isArray(value) ? value : [value]) as readonly Json[];
  if (stated.every((one) => one === null || elements.has(canonicalJson(one)))) return undefined;
  return { shown: correction === undefined ? null : [...elements.values()].map((one) => one.value), winner };
}

/** The values that the state shows in another way than the fact states them. */
export function findOverruled(state: EntityState, schema: EntitySchema, fact: StatedFact): readonly OverruledValue[] {
  const stated: readonly (readonly [string, Json | undefined])[] = [
    ...Object.entries(fact.fields),
    ...fact.ended.map((name) => [name, undefined] as const),
  ];
  const overruled: OverruledValue[] = [];
  for (const [name, given] of stated) {
    const field = fieldOf(schema, name);
    const own = state.get(name);
    if (field === undefined || own === undefined || given === null) continue;
    const value = given === undefined ? undefined : readValue(field, given);
    if (given !== undefined && value === undefined) continue;
    const decider = deciderOf(own, value);
    if (decider === undefined || fact.observationIds.has(decider.winner.id)) continue;
    overruled.push({
      field: name,
      ...(given === undefined ? {} : { value: shorten(given) }),
      shown: shorten(decider.shown),
      since: showMoment(decider.winner.effectiveAt),
      why: reasonFor(field, decider.winner, fact),
    });
    if (overruled.length === truthLimits.reviewedCount) break;
  }
  return overruled;
}

/** Overruled values that the message explains; the list has all of them. */
const explainedCount = 2;

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function explain({ field, value, shown, why }: OverruledValue): string {
  const said = shown === null ? `${field} has ended` : `${field} is ${show(shown)}`;
  const stated = value === undefined ? 'that it ended' : show(value);
  return ` The snapshot still says that ${said}, not ${stated}: ${why}.`;
}

const advice =
  ' If what you sent holds now, send it without effective_at or with a later one; if the other value is wrong, correct_entity.';

function holdsText({ effectiveAt, effectiveUntil }: StatedPeriod, now: number): string {
  const until = effectiveUntil === null ? ' on' : ` until ${showMoment(effectiveUntil)}`;
  if (effectiveAt > now) return ` from ${showMoment(effectiveAt)}${until}; until then nothing changes`;
  return ` for the time from ${showMoment(effectiveAt)}${until}; the present does not change`;
}

export interface Outcome {
  readonly period: StatedPeriod;
  readonly now: number;
  readonly holdsNow: boolean;
  /** Something is new: the entity, a relationship or a value in the snapshot. */
  readonly hasEffect: boolean;
  readonly overruled: readonly OverruledValue[];
  readonly rawHint: string | undefined;
}

export function describeOutcome({ period, now, holdsNow, hasEffect, overruled, rawHint }: Outcome): string {
  const recorded = holdsNow
    ? hasEffect
      ? 'Recorded'
      : 'Recorded; the snapshot is the same as before'
    : `Recorded${holdsText(period, now)}`;
  const explained = overruled.slice(0, explainedCount).map(explain).join('');
  const raw = rawHint === undefined ? '' : ` ${rawHint}`;
  if (explained === '' && raw === '') return recorded;
  return `${recorded}.${explained}${explained === '' ? '' : advice}${raw}`;
}
