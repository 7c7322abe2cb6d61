import { z } from 'zod';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { fitPage } from '#kernel/text/budget.ts';
import { showTimes } from '../entities/entity-model.ts';
import { findEntityHeads, findRoots } from '../entities/entity-store.ts';
import { currentState, expectRoot, membersOf, stateAt } from '../entities/load-entity.ts';
import { type ObservationRow, parseDetails } from '../entities/observed-store.ts';
import { parseFields } from '../entities/reduce-rows.ts';
import { toIso } from '../iso-time.ts';
import { keySeparator } from '../observations/entity-name.ts';
import { findSubmissions, type SubmissionRow } from '../payloads/submission-store.ts';
import { toStateView } from '../reducer/entity-state.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { truthLimits } from '../truth-limits.ts';
import {
  type Contradiction,
  type ContradictionsAnswer,
  type ContradictionsInput,
  contradictionsTool,
  type DisputedStatement,
} from './contradiction-model.ts';
import {
  type ContradictionRow,
  listOpenPage,
  listPage,
  listPageOfEntities,
  listPageOfType,
  type Place,
} from './contradiction-store.ts';
import { isOpenAt } from './disputes.ts';
import { statementsOf } from './track-contradictions.ts';

const howToClose =
  'correct_entity states the right value; retract_statement takes a wrong statement back by its submission_id; accept_contradiction keeps the value that is shown';

function isWanted(row: ContradictionRow, input: ContradictionsInput, knownAt: number | undefined): boolean {
  if (knownAt !== undefined && row.opened_at > knownAt) return false;
  if (input.field !== undefined && row.field !== input.field) return false;
  if (input.entity_type !== undefined && row.entity_type !== input.entity_type) return false;
  return input.status === 'all' || isOpenAt(row, knownAt) === (input.status === 'open');
}

type ReadPage = (after: Place, limit: number) => Work<readonly ContradictionRow[]>;

/** The narrowest index; the rest is filtered. */
function* pagesOf(db: Reader, input: ContradictionsInput, knownAt: number | undefined): Work<ReadPage> {
  const { entity_id, entity_type, status } = input;
  if (entity_id !== undefined) {
    const { root } = yield* expectRoot(db, entity_id);
    const members = yield* membersOf(db, root.entity_id);
    return (after, limit) => listPageOfEntities(db, members, after, limit);
  }
  if (entity_type !== undefined) return (after, limit) => listPageOfType(db, entity_type, after, limit);
  if (status === 'open' && knownAt === undefined) return (after, limit) => listOpenPage(db, after, limit);
  return (after, limit) => listPage(db, after, limit);
}

/** Newest first, up to a number that keeps the answer fast. The next page starts after `last`; undefined at the end. */
function* findRows(db: Reader, input: ContradictionsInput, knownAt: number | undefined, start: Place) {
  const readPage = yield* pagesOf(db, input, knownAt);
  const { examinedContradictionsCount, rowBatchCount } = truthLimits;
  const pageCount = Math.max(rowBatchCount, input.limit);
  const found: ContradictionRow[] = [];
  let after = start;
  for (let examined = 0; examined < examinedContradictionsCount; ) {
    const rows = yield* readPage(after, pageCount);
    for (const row of rows) {
      if (found.length === input.limit) return { found, last: after };
      if (isWanted(row, input, knownAt)) found.push(row);
      after = row;
    }
    if (rows.length < pageCount) return { found, last: undefined };
    examined += rows.length;
  }
  return { found, last: after };
}

const place = z.tuple([z.int(), z.string()]);

function openCursor(cursors: Cursors, db: Reader, { cursor }: ContradictionsInput): Place {
  if (cursor === undefined) return { opened_at: Number.MAX_SAFE_INTEGER, contradiction_id: '' };
  const opened = place.safeParse(cursors.open(contradictionsTool, db.tenant, cursor));
  if (!opened.success) throw faults.VALIDATION_ERROR({ why: 'The cursor is not valid' }, { field: 'cursor' });
  return { opened_at: opened.data[0], contradiction_id: opened.data[1] };
}

/** As it was stated, also if a later schema reads it in another way. */
function statedValue(row: ObservationRow, field: string): { readonly value: Json; readonly ended?: true } {
  if (parseDetails(row.details).ended?.includes(field) === true) return { value: null, ended: true };
  for (const stated of [parseFields(row.fields), parseFields(row.raw_fragments)]) {
    if (Object.hasOwn(stated, field)) return { value: stated[field]! };
  }
  return { value: null };
}

function toStatement(row: ObservationRow, field: string, submission: SubmissionRow | undefined): DisputedStatement {
  const refs = submission === undefined ? [] : (JSON.parse(submission.source_refs) as readonly string[]);
  return {
    ...statedValue(row, field),
    observation_id: row.observation_id,
    submission_id: row.submission_id,
    source_kind: row.source_kind,
    source_record_id: row.source_id,
    ...(refs.length === 0 ? {} : { source_refs: refs }),
    ...(submission === undefined ? {} : { extractor_version: submission.extractor_version }),
    ...(submission === undefined || submission.agent_id === null ? {} : { agent_id: submission.agent_id }),
    ...(submission === undefined || submission.actor === '' ? {} : { actor: submission.actor }),
    observed_at: toIso(row.observed_at),
    ...showTimes(row),
    created_at: toIso(row.created_at),
  };
}

export function toClosing({ closed_at, closed_by, closing_id, actor, reason }: ContradictionRow) {
  return {
    closed_at: toIso(closed_at!),
    closed_by: closed_by!,
    ...(closing_id === null ? {} : { closing_id }),
    ...(actor === null ? {} : { actor }),
    ...(reason === null ? {} : { reason }),
  };
}

/** What the snapshot shows, now or as it was known at a time. */
export function* shownOf(
  db: Reader,
  deps: SchemaDeps,
  entityId: string,
  field: string,
  knownAt?: number,
): Work<Pick<Contradiction, 'shown'>> {
  const { state, schema } =
    knownAt === undefined
      ? yield* currentState(db, deps, (yield* expectRoot(db, entityId)).root)
      : yield* stateAt(db, deps, entityId, { asKnownAt: knownAt }, 'empty');
  const { snapshot, provenance } = toStateView(state, schema);
  if (!Object.hasOwn(snapshot, field)) return {};
  return { shown: { value: snapshot[field]!, observation_id: provenance[field]! } };
}

function* showAll(
  db: Reader,
  deps: SchemaDeps,
  rows: readonly ContradictionRow[],
  knownAt: number | undefined,
): Work<readonly Contradiction[]> {
  if (rows.length === 0) return [];
  const statements = yield* statementsOf(db, rows);
  const submissionIds = [...new Set([...statements.values()].map(({ submission_id }) => submission_id))];
  const submissions = new Map((yield* findSubmissions(db, submissionIds)).map((one) => [one.submission_id, one]));
  const roots = yield* findRoots(db, [...new Set(rows.map(({ entity_id }) => entity_id))]);
  const rootOf = new Map(roots.map(({ entity_id, root_id }) => [entity_id, root_id]));
  const heads = yield* findEntityHeads(db, [...new Set(rootOf.values())]);
  const nameOf = new Map(heads.map((head) => [head.entity_id, head.canonical_name.replaceAll(keySeparator, ' ')]));
  const shown: Contradiction[] = [];
  for (const row of rows) {
    const entityId = rootOf.get(row.entity_id) ?? row.entity_id;
    const both = [row.observation_id, row.other_observation_id].flatMap((id) => statements.get(id) ?? []);
    shown.push({
      contradiction_id: row.contradiction_id,
      entity_id: entityId,
      entity_type: row.entity_type,
      name: nameOf.get(entityId) ?? '',
      field: row.field,
      statements: both.map((one) => toStatement(one, row.field, submissions.get(one.submission_id))),
      ...(yield* shownOf(db, deps, row.entity_id, row.field, knownAt)),
      opened_at: toIso(row.opened_at),
      ...(isOpenAt(row, knownAt) ? {} : { closing: toClosing(row) }),
    });
  }
  return shown;
}

/** [TR99] */
export function* listContradictions(
  db: Reader,
  deps: SchemaDeps,
  cursors: Cursors,
  input: ContradictionsInput,
  knownAt: number | undefined,
): Work<ContradictionsAnswer> {
  const { found, last } = yield* findRows(db, input, knownAt, openCursor(cursors, db, input));
  const page = fitPage(yield* showAll(db, deps, found, knownAt), truthLimits.answerBytes);
  const end = page.more ? found[page.items.length - 1] : last;
  const hasOpen = page.items.some(({ closing }) => closing === undefined);
  return {
    contradictions: page.items,
    ...(hasOpen ? { how_to_close: howToClose } : {}),
    ...(end === undefined
      ? {}
      : { next_cursor: cursors.seal(contradictionsTool, db.tenant, [end.opened_at, end.contradiction_id]) }),
  };
}
