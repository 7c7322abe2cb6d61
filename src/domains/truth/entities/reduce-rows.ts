import type { Fields, Observation } from '../observations/observation.ts';
import { type Contributor, compareContributors } from '../reducer/contributor.ts';
import { type EntityState, type FieldState, isMergedArray } from '../reducer/entity-state.ts';
import { joinStates, reduceAll } from '../reducer/reducer.ts';
import { commonFields, type EntitySchema, type SchemaField } from '../schemas/entity-schema.ts';
import { truthLimits } from '../truth-limits.ts';
import { parseDetails, type ReducerRow } from './observed-store.ts';

const none: Fields = {};
/** Most observations have no raw fragments, so skip the parser. */
export const parseFields = (text: string): Fields => (text === '{}' ? none : (JSON.parse(text) as Fields));

const toContributor = (row: ReducerRow): Contributor => ({
  id: row.observation_id,
  effectiveAt: row.effective_at,
  observedAt: row.observed_at,
  recordedAt: row.created_at,
  priority: row.priority,
  specificity: row.specificity,
  isCorrection: row.source_kind === 'correction',
  isUntilNewer: parseDetails(row.details).until_newer === true,
  origin: row.origin,
});

const noFields: readonly string[] = [];

export const toObservation = (row: ReducerRow): Observation => ({
  ...toContributor(row),
  effectiveUntil: row.effective_until,
  fields: parseFields(row.fields),
  rawFragments: parseFields(row.raw_fragments),
  ended: parseDetails(row.details).ended ?? noFields,
});

/** Whether the statement holds at a time, as it is known now. */
export const holdsAt = (
  row: Pick<ReducerRow, 'effective_at' | 'effective_until' | 'retracted_at'>,
  at: number,
): boolean =>
  row.retracted_at === null && row.effective_at <= at && (row.effective_until === null || row.effective_until > at);

interface ReducedField {
  readonly name: string;
  /** The name as a JSON member; field names need no escaping. */
  readonly member: string;
  readonly field: SchemaField;
}

function isDecided(state: FieldState | undefined, field: SchemaField, contributor: Contributor): boolean {
  if (state === undefined) return false;
  const winner = isMergedArray(state) ? state.correction : state.contributor;
  // A merged array has no winner: any observation may add to it.
  return winner !== undefined && compareContributors(field, contributor, winner) >= 0;
}

/** Most rows of a large entity cannot change the state; this avoids parsing them. */
function canChange(row: ReducerRow, state: EntityState, wanted: readonly ReducedField[]): boolean {
  const contributor = toContributor(row);
  return wanted.some(
    ({ name, member, field }) =>
      !isDecided(state.get(name), field, contributor) &&
      (row.fields.includes(member) || row.raw_fragments.includes(member) || row.details.includes(name)),
  );
}

/** `rows` are oldest first. Starts with the newest, because they decide most fields. */
export function reduceRows(before: EntityState, rows: readonly ReducerRow[], schema: EntitySchema): EntityState {
  const wanted = Object.entries({ ...commonFields, ...schema.fields }).map(
    ([name, field]): ReducedField => ({ name, member: `"${name}":`, field }),
  );
  let state = before;
  for (let end = rows.length; end > 0; end -= truthLimits.reducedStepCount) {
    const step = rows.slice(Math.max(0, end - truthLimits.reducedStepCount), end);
    // An open schema may have any field.
    const needed = schema.open === true ? step : step.filter((row) => canChange(row, state, wanted));
    if (needed.length > 0) state = joinStates(state, reduceAll(needed.map(toObservation), schema), schema);
  }
  return state;
}
