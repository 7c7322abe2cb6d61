import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { findObservations, type ObservationRow } from '../entities/observed-store.ts';
import { showTime } from '../iso-time.ts';
import { keySeparator } from '../observations/entity-name.ts';
import { type EntitySchema, fieldOf } from '../schemas/entity-schema.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { truthLimits } from '../truth-limits.ts';
import { contradictionTopic } from '../truth-vocabulary.ts';
import {
  type Closing,
  type ContradictionRow,
  closeContradiction,
  findDisputed,
  insertContradictions,
  listCompeting,
  listCorrections,
  listGroupsOf,
  listOfEntities,
  listOpenOfEntities,
  type Probe,
} from './contradiction-store.ts';
import {
  areAlike,
  comparedFields,
  type Disagreement,
  doesSettle,
  findDisagreements,
  startOf,
  valueIn,
} from './disagreement.ts';

const { comparedStatementsCount, knownContradictionsCount, openContradictionsCount } = truthLimits;

export interface OpenedContradiction {
  readonly contradictionId: string;
  readonly entityId: string;
  readonly field: string;
  /** Null: the field ended. */
  readonly statements: readonly { readonly observationId: string; readonly value: Json }[];
}

const toOpened = (row: ContradictionRow, { field, first, second }: Disagreement, schema: EntitySchema) => ({
  contradictionId: row.contradiction_id,
  entityId: row.entity_id,
  field,
  statements: [first, second].map((one) => ({
    observationId: one.observation_id,
    value: valueIn(one, field, fieldOf(schema, field)!) ?? null,
  })),
});

const idHexChars = 24;

/** The same in any store, whichever statement came first. */
const contradictionIdOf = ({ field, first, second }: Disagreement): string => {
  const ids = [first.observation_id, second.observation_id].sort();
  return `con_${sha256Hex([field, ...ids].join(keySeparator)).slice(0, idHexChars)}`;
};

const yearChars = 4;

function toProbe(row: ObservationRow, entityId: string, place: number): Probe {
  const { from, end } = startOf(row);
  const statedFrom = Date.parse(`${showTime(from, yearChars)}-01-01`);
  // A year beyond four digits has another form, and cannot be stated.
  const isKnown = Number.isFinite(statedFrom);
  return {
    ...{ place, entityId, from, end, statedFrom: isKnown ? statedFrom : from },
    origin: row.origin,
    fields: row.fields,
  };
}

type Members = ReadonlyMap<string, readonly string[]>;

/** By entity: all entities of its group. */
function* groupsOf(db: Reader, entityIds: readonly string[]): Work<Members> {
  const rows = yield* listGroupsOf(db, entityIds);
  const byRoot = Map.groupBy(rows, ({ root_id }) => root_id);
  const groups = new Map<string, readonly string[]>();
  for (const members of byRoot.values()) {
    const ids = members.map(({ entity_id }) => entity_id);
    for (const id of ids) groups.set(id, ids);
  }
  return groups;
}

export const toDisagreement = (
  row: ContradictionRow,
  rows: ReadonlyMap<string, ObservationRow>,
): Disagreement | undefined => {
  const [first, second] = [rows.get(row.observation_id), rows.get(row.other_observation_id)];
  return first === undefined || second === undefined ? undefined : { field: row.field, first, second };
};

/** The statements of these contradictions, by id. */
export function* statementsOf(
  db: Reader,
  contradictions: readonly ContradictionRow[],
): Work<ReadonlyMap<string, ObservationRow>> {
  if (contradictions.length === 0) return new Map();
  const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];
  const rows = yield* findObservations(
    db,
    distinct(contradictions.flatMap((one) => [one.entity_id, one.other_entity_id])),
    distinct(contradictions.flatMap((one) => [one.observed_at, one.other_observed_at])),
    distinct(contradictions.flatMap((one) => [one.observation_id, one.other_observation_id])),
  );
  return new Map(rows.map((row) => [row.observation_id, row]));
}

/** What was decided about a field before: open, accepted or corrected. */
interface Known {
  readonly row: ContradictionRow;
  readonly disagreement: Disagreement;
}

function* knownOf(db: Reader, members: readonly string[], fields: ReadonlySet<string>): Work<readonly Known[]> {
  const rows = yield* listOfEntities(db, members, knownContradictionsCount);
  const counting = rows.filter(
    ({ field, closed_by, other_entity_id }) =>
      fields.has(field) && closed_by !== 'retraction' && closed_by !== 'unmerge' && members.includes(other_entity_id),
  );
  const statements = yield* statementsOf(db, counting);
  return counting.flatMap((row) => {
    const disagreement = toDisagreement(row, statements);
    return disagreement === undefined ? [] : [{ row, disagreement }];
  });
}

const notClosed = { closed_at: null, closed_by: null, closing_id: null, actor: null, reason: null };

/** One that a correction decides already is closed from the beginning: it opens when the correction is retracted. */
function toRow(db: Reader, found: Disagreement, correction: ObservationRow | undefined): ContradictionRow {
  const { field, first, second } = found;
  const closed =
    correction === undefined
      ? notClosed
      : { ...notClosed, closed_at: db.now, closed_by: 'correction' as const, closing_id: correction.submission_id };
  return {
    ...{ contradiction_id: contradictionIdOf(found), opened_at: db.now, field },
    ...{ entity_id: first.entity_id, entity_type: first.entity_type },
    ...{ observed_at: first.observed_at, observation_id: first.observation_id },
    ...{ other_entity_id: second.entity_id, other_observed_at: second.observed_at },
    ...{ other_observation_id: second.observation_id, ...closed },
  };
}

function* save(db: Writer, rows: readonly ContradictionRow[], what: 'create' | 'update'): Work<void> {
  yield* insertContradictions(db, rows);
  for (const row of rows) {
    yield* db.changed(contradictionTopic, row.contradiction_id, what, sha256Hex(canonicalJson({ ...row })));
  }
}

/** Compares the statements of a group that begin at the time of one of these. */
function* openOfGroup(
  db: Writer,
  members: readonly string[],
  rows: readonly ObservationRow[],
  schema: EntitySchema,
): Work<readonly OpenedContradiction[]> {
  const found: Disagreement[] = [];
  const spans = new Map(rows.map((row) => [`${row.effective_at} ${row.details}`, toProbe(row, row.entity_id, 0)]));
  const fields = new Set(rows.flatMap((row) => comparedFields(row, schema)));
  for (const span of spans.values()) {
    const competing = yield* listCompeting(db, members, span, comparedStatementsCount);
    for (const one of findDisagreements(competing, fields, schema)) {
      if (!found.some((other) => areAlike(one, other, schema))) found.push(one);
    }
  }
  if (found.length === 0) return [];
  const known = yield* knownOf(db, members, new Set(found.map(({ field }) => field)));
  const corrections = yield* listCorrections(db, members, comparedStatementsCount);
  const openCounts = new Map<string, number>();
  const countOpen = (field: string): number => {
    const count = (openCounts.get(field) ?? 0) + 1;
    openCounts.set(field, count);
    return count;
  };
  for (const { row } of known) if (row.closed_at === null) countOpen(row.field);
  const added = found.flatMap((one) => {
    const correction = corrections.find((row) => doesSettle(row, one));
    const isKnown = known.some(
      ({ row, disagreement }) =>
        areAlike(one, disagreement, schema) && (row.closed_by !== 'correction' || correction !== undefined),
    );
    if (isKnown || countOpen(one.field) > openContradictionsCount) return [];
    return { row: toRow(db, one, correction), disagreement: one };
  });
  yield* save(
    db,
    added.map(({ row }) => row),
    'create',
  );
  return added.flatMap(({ row, disagreement }) =>
    row.closed_at === null ? [toOpened(row, disagreement, schema)] : [],
  );
}

/**
 * [TR96] Finds the contradictions of these statements, which are stored already. The first query finds out whether there
 * is anything to compare, which is rare; its cost does not grow with the entity.
 */
export function* openContradictions(
  db: Writer,
  deps: SchemaDeps,
  rows: readonly ObservationRow[],
): Work<readonly OpenedContradiction[]> {
  const statements = rows.filter(
    ({ source_kind, retracted_at }) => source_kind !== 'correction' && retracted_at === null,
  );
  if (statements.length === 0) return [];
  const groups = yield* groupsOf(db, [...new Set(statements.map(({ entity_id }) => entity_id))]);
  const probes = statements.flatMap((row, place) =>
    (groups.get(row.entity_id) ?? []).map((member) => toProbe(row, member, place)),
  );
  const disputed = new Set((yield* findDisputed(db, probes, comparedStatementsCount)).map(({ place }) => place));
  if (disputed.size === 0) return [];
  const byGroup = Map.groupBy(
    statements.filter((_, place) => disputed.has(place)),
    ({ entity_id }) => groups.get(entity_id)!,
  );
  const opened: OpenedContradiction[] = [];
  for (const [members, some] of byGroup) {
    const schema = yield* deps.schemas.active(db, some[0]!.entity_type);
    opened.push(...(yield* openOfGroup(db, members, some, schema)));
  }
  return opened;
}

export function* closeAll(db: Writer, rows: readonly ContradictionRow[], closing: Closing): Work<void> {
  for (const row of rows) {
    yield* closeContradiction(db, row, closing);
    const hash = sha256Hex(canonicalJson({ ...row, ...closing }));
    yield* db.changed(contradictionTopic, row.contradiction_id, 'update', hash);
  }
}

/** [TR98] */
export function* closeByCorrection(
  db: Writer,
  correction: ObservationRow,
  closing: Pick<Closing, 'actor' | 'reason'>,
): Work<void> {
  const { entity_id, submission_id } = correction;
  const members = (yield* groupsOf(db, [entity_id])).get(entity_id)!;
  const open = yield* listOpenOfEntities(db, members, knownContradictionsCount);
  const statements = yield* statementsOf(db, open);
  const settled = open.filter((row) => {
    const found = toDisagreement(row, statements);
    return found !== undefined && doesSettle(correction, found);
  });
  yield* closeAll(db, settled, { ...closing, closed_by: 'correction', closing_id: submission_id });
}

/** Those that the correction closed, if both statements still count and no other correction decides between them. */
function* openAgain(db: Writer, members: readonly string[], correctionId: string): Work<void> {
  const rows = yield* listOfEntities(db, members, knownContradictionsCount);
  const newest = new Map(rows.toReversed().map((row) => [row.contradiction_id, row]));
  const closed = [...newest.values()].filter(
    ({ closing_id, other_entity_id }) => closing_id === correctionId && members.includes(other_entity_id),
  );
  if (closed.length === 0) return;
  const statements = yield* statementsOf(db, closed);
  const corrections = yield* listCorrections(db, members, comparedStatementsCount);
  const again = closed.flatMap((row) => {
    const found = toDisagreement(row, statements);
    if (found === undefined || found.first.retracted_at !== null || found.second.retracted_at !== null) return [];
    return {
      ...toRow(
        db,
        found,
        corrections.find((one) => doesSettle(one, found)),
      ),
      opened_at: db.now,
    };
  });
  yield* save(db, again, 'update');
}

/** [TR98] After a retraction: closes what it decides, and opens what the retracted statements hid. */
export function* followRetraction(
  db: Writer,
  deps: SchemaDeps,
  retracted: readonly ObservationRow[],
  closing: Omit<Closing, 'closed_by'>,
): Work<void> {
  const ids = new Set(retracted.map(({ observation_id }) => observation_id));
  const groups = yield* groupsOf(db, [...new Set(retracted.map(({ entity_id }) => entity_id))]);
  for (const members of new Set(groups.values())) {
    const open = yield* listOpenOfEntities(db, members, knownContradictionsCount);
    const decided = open.filter((one) => ids.has(one.observation_id) || ids.has(one.other_observation_id));
    yield* closeAll(db, decided, { ...closing, closed_by: 'retraction' });
    const mine = retracted.filter(({ entity_id }) => members.includes(entity_id));
    if (mine.some(({ source_kind }) => source_kind === 'correction')) {
      yield* openAgain(db, members, closing.closing_id!);
      continue;
    }
    const schema = yield* deps.schemas.active(db, mine[0]!.entity_type);
    yield* openOfGroup(db, members, mine, schema);
  }
}
