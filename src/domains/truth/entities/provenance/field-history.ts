import type { Call } from '#kernel/call.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { fitPage } from '#kernel/text/budget.ts';
import { toIso } from '../../iso-time.ts';
import type { Fields } from '../../observations/observation.ts';
import { toStateView } from '../../reducer/entity-state.ts';
import { type EntitySchema, fieldOf } from '../../schemas/entity-schema.ts';
import { fitValue } from '../../schemas/fit-value.ts';
import { truthFaults } from '../../truth-faults.ts';
import { truthLimits } from '../../truth-limits.ts';
import { showTimes } from '../entity-model.ts';
import type { PageInput } from '../list-observations.ts';
import { currentState, type EntitiesDeps, expectRoot, membersOf } from '../load-entity.ts';
import { type FieldPattern, listObservationsOfField, type ObservationRow, parseDetails } from '../observed-store.ts';
import type { FieldInput } from './field-provenance.ts';
import type { FieldHistory, Statement } from './provenance-model.ts';
import { findOrigins, type StatementOrigin } from './statement-origins.ts';

/** The field as a JSON member, or in a list of fields that ended; `_` is escaped because it is a wildcard. */
export function patternOf(field: string): FieldPattern {
  const name = `"${field}"`.replaceAll('_', '\\_');
  return { stated: `%${name}:%`, ended: `%"ended":[%${name}%` };
}

interface FieldStatement {
  readonly row: ObservationRow;
  readonly value: Json;
  readonly raw: boolean;
  readonly ended?: true;
}

/** Undefined if the name occurs only in nested values. */
function statementIn(row: ObservationRow, field: string, schema: EntitySchema): FieldStatement | undefined {
  const known = fieldOf(schema, field);
  if (parseDetails(row.details).ended?.includes(field)) return { row, value: null, raw: false, ended: true };
  for (const text of [row.fields, row.raw_fragments]) {
    const stated = JSON.parse(text) as Fields;
    const value = Object.hasOwn(stated, field) ? stated[field] : undefined;
    if (value === undefined) continue;
    const fitted = known === undefined ? undefined : fitValue(known, value);
    return { row, value: fitted ?? value, raw: fitted === undefined };
  }
  return undefined;
}

const newestFirst = (a: FieldStatement, b: FieldStatement): number =>
  b.row.observed_at - a.row.observed_at || (a.row.observation_id < b.row.observation_id ? -1 : 1);

/** Up to the number that totals are counted to. */
function* findStatements(
  db: Reader,
  members: readonly string[],
  field: string,
  schema: EntitySchema,
): Work<readonly FieldStatement[]> {
  const statements: FieldStatement[] = [];
  for (const member of members) {
    let before = { observedAt: Number.MAX_SAFE_INTEGER, observationId: '' };
    while (statements.length < truthLimits.countedCount) {
      const rows = yield* listObservationsOfField(db, member, patternOf(field), before, truthLimits.reducedPageCount);
      for (const row of rows) {
        const one = statementIn(row, field, schema);
        if (one !== undefined) statements.push(one);
      }
      if (rows.length < truthLimits.reducedPageCount) break;
      before = { observedAt: rows.at(-1)!.observed_at, observationId: rows.at(-1)!.observation_id };
    }
  }
  return statements.sort(newestFirst);
}

const toStatement = (
  { row, value, raw, ended }: FieldStatement,
  { source, statedBy }: StatementOrigin,
  winners: ReadonlySet<string>,
): Statement => ({
  observation_id: row.observation_id,
  value,
  observed_at: toIso(row.observed_at),
  created_at: toIso(row.created_at),
  source_kind: row.source_kind,
  source_record_id: row.source_id,
  source_priority: row.priority,
  specificity_score: row.specificity,
  ...showTimes(row),
  submission_id: row.submission_id,
  ...statedBy,
  source_record: source.record,
  ...(ended === undefined ? {} : { ended }),
  ...(raw ? { raw } : {}),
  wins: winners.has(row.observation_id),
});

export function createFieldHistory(deps: EntitiesDeps) {
  return function fieldHistory(input: FieldInput & PageInput, call: Call): Promise<FieldHistory> {
    const { entity_id, field, limit, offset } = input;
    return deps.storage.read(call, function* (db) {
      const { root, redirectedFrom } = yield* expectRoot(db, entity_id);
      const { state, schema } = yield* currentState(db, deps, root);
      const statements = yield* findStatements(db, yield* membersOf(db, root.entity_id), field, schema);
      if (statements.length === 0) throw truthFaults.FIELD_NOT_FOUND({}, { field });
      const { provenance_all } = toStateView(state, schema);
      const winners = new Set(Object.hasOwn(provenance_all, field) ? provenance_all[field] : []);
      const asked = statements.slice(offset, offset + limit);
      const origins = yield* findOrigins(
        db,
        asked.map(({ row }) => row),
      );
      const page = fitPage(
        asked.map((one) => toStatement(one, origins.get(one.row.observation_id)!, winners)),
        truthLimits.answerBytes,
      );
      return {
        entity_id: root.entity_id,
        ...(redirectedFrom === undefined ? {} : { redirected_from: redirectedFrom }),
        field,
        history: page.items,
        total: statements.length,
        limit,
        offset,
        ...(page.more ? { truncated: true, nextOffset: offset + page.items.length } : {}),
      };
    });
  };
}
