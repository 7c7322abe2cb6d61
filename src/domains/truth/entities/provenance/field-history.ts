import type { Call } from '#kernel/call.ts';
import { cutText } from '#kernel/fault/bound-fault.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { fitPage } from '#kernel/text/budget.ts';
import { chunksOf } from '../../chunks.ts';
import { toIso } from '../../iso-time.ts';
import type { Fields } from '../../observations/observation.ts';
import { findRetractions } from '../../payloads/submission-store.ts';
import { findRecord } from '../../records/record-store.ts';
import { toStateView } from '../../reducer/entity-state.ts';
import { commonFields, type EntitySchema, fieldOf } from '../../schemas/entity-schema.ts';
import { fitValue } from '../../schemas/fit-value.ts';
import { truthFaults } from '../../truth-faults.ts';
import { truthLimits } from '../../truth-limits.ts';
import { showTimes } from '../entity-model.ts';
import type { PageInput } from '../list-observations.ts';
import { currentState, type EntitiesDeps, expectRoot, membersOf } from '../load-entity.ts';
import { type FieldPattern, listObservationsOfField, type ObservationRow, parseDetails } from '../observed-store.ts';
import { parseFields } from '../reduce-rows.ts';
import type { FieldInput } from './field-provenance.ts';
import type { FieldHistory, Statement } from './provenance-model.ts';
import { findInText } from './source-text.ts';
import { findOrigins, type StatementOrigin } from './statement-origins.ts';

/** The field as a JSON member, or in a list of fields that ended; `_` is escaped because it is a wildcard. */
export function patternOf(field: string): FieldPattern {
  const name = `"${field}"`.replaceAll('_', '\\_');
  return { stated: `%${name}:%`, ended: `%"ended":[%${name}%` };
}

/** [TR110] */
const rememberedField = Object.keys(commonFields)[0]!;

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

/** Characters of a source, reason or quote, and documents that are quoted. */
const historyTextLimits = { textChars: 200, quotedCount: 20 } as const;

const short = (text: string): string => cutText(text, historyTextLimits.textChars);

/** The texts that were remembered with it. */
function rememberedIn({ fields, raw_fragments }: ObservationRow): string | undefined {
  const { remembered } = { ...parseFields(raw_fragments), ...parseFields(fields) };
  const texts = [remembered].flat().filter((one) => typeof one === 'string');
  return texts.length === 0 ? undefined : texts.join(' ');
}

/** Why a statement was made, in the words of its source. */
function wordsOf({ row, value }: FieldStatement, origin: StatementOrigin, field: string, why: WhyStated) {
  const { source, statedBy } = origin;
  const name = source.refs[0] ?? source.record.file_name ?? statedBy.agent_id;
  const retraction = why.retractions.get(row.submission_id);
  const reason = source.record.reason ?? retraction;
  const document = why.documents.get(row.source_id);
  const quote =
    field === rememberedField ? undefined : (rememberedIn(row) ?? (document && findInText(document, value)?.text));
  return {
    ...(name === undefined ? {} : { source: short(name) }),
    ...(reason === undefined ? {} : { reason: short(reason) }),
    ...(quote === undefined ? {} : { quote: short(quote) }),
  };
}

/** What is read besides the statements themselves. */
interface WhyStated {
  /** Reasons, by submission. */
  readonly retractions: ReadonlyMap<string, string>;
  /** Properties of the records that files became, by their ids. */
  readonly documents: ReadonlyMap<string, string>;
}

function* findWhy(db: Reader, rows: readonly ObservationRow[]): Work<WhyStated> {
  const retracted = [...new Set(rows.flatMap((row) => (row.retracted_at === null ? [] : [row.submission_id])))];
  const retractions = new Map<string, string>();
  for (const some of chunksOf(retracted, truthLimits.rowBatchCount))
    for (const { target_id, reason } of yield* findRetractions(db, some))
      if (reason !== null) retractions.set(target_id, reason);
  const ids = [...new Set(rows.flatMap((row) => (row.source_kind === 'record' ? [row.source_id] : [])))];
  const documents = new Map<string, string>();
  // Texts of files are long, so only those of a few statements are read.
  for (const id of ids.slice(0, historyTextLimits.quotedCount)) {
    const record = yield* findRecord(db, id);
    if (record !== undefined) documents.set(id, record.properties);
  }
  return { retractions, documents };
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
      const why = yield* findWhy(
        db,
        asked.map(({ row }) => row),
      );
      const page = fitPage(
        asked.map((one) => {
          const origin = origins.get(one.row.observation_id)!;
          return { ...toStatement(one, origin, winners), ...wordsOf(one, origin, field, why) };
        }),
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
