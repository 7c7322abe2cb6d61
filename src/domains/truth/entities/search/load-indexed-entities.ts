import type { Reader, Work } from '#kernel/storage/port.ts';
import type { Fields } from '../../observations/observation.ts';
import { textOfProperties } from '../../records/record-documents.ts';
import { findIntactRecords } from '../../records/record-store.ts';
import { parseProperties } from '../../records/rules/properties.ts';
import { parseState, toStateView } from '../../reducer/entity-state.ts';
import type { SchemaDeps } from '../../schemas/schemas.ts';
import { truthLimits } from '../../truth-limits.ts';
import { type EntityRow, findEntities } from '../entity-store.ts';
import { currentMoment, currentState, isStateCurrent, presentOf } from '../load-entity.ts';
import { rawFragmentsOf } from '../raw-fragments.ts';
import { holdsAt, parseFields } from '../reduce-rows.ts';
import { createTextCollector, type IndexedEntity, valuesOf } from './entity-collection.ts';
import { findTexts, listMembersOf, listStated, type StatedRow, type TextRow } from './entity-search-store.ts';

/** What new observations state about each entity, the newest first. */
export type StatedTexts = ReadonlyMap<string, readonly string[]>;

export interface LoadedEntities {
  readonly entities: readonly IndexedEntity[];
  /** To be stored by a caller that can write. */
  readonly texts: readonly TextRow[];
}

export interface CurrentSnapshot {
  readonly snapshot: Fields;
  readonly schemaVersion: string;
}

/** Snapshots of these rows now, one statement for all of them unless a state has to be reduced again. */
export function* currentSnapshots(
  db: Reader,
  deps: SchemaDeps,
  rows: readonly EntityRow[],
): Work<ReadonlyMap<string, CurrentSnapshot>> {
  const active = yield* deps.schemas.activeOf(db, [...new Set(rows.map(({ entity_type }) => entity_type))]);
  const snapshots = new Map<string, CurrentSnapshot>();
  for (const row of rows) {
    const schema = active.get(row.entity_type)!;
    const reduced = isStateCurrent(row, schema, presentOf(db, row))
      ? { state: parseState(row.state), schema }
      : yield* currentState(db, deps, row);
    const { snapshot } = toStateView(reduced.state, reduced.schema);
    snapshots.set(row.entity_id, { snapshot, schemaVersion: reduced.schema.version });
  }
  return snapshots;
}

const isFile = ({ source_kind, role }: StatedRow): boolean => source_kind === 'record' && role === 'self';

/** The text of the files behind these observations: an analysed file states only what was found in it. */
function* recordTexts(db: Reader, rows: readonly StatedRow[]): Work<ReadonlyMap<string, string>> {
  const ids = new Set(rows.filter(isFile).map(({ source_id }) => source_id));
  if (ids.size === 0) return new Map();
  const records = yield* findIntactRecords(db, [...ids]);
  return new Map(records.map((row) => [row.record_id, textOfProperties(parseProperties(row.properties))]));
}

const statedOf = (row: StatedRow): Fields => ({ ...parseFields(row.raw_fragments), ...parseFields(row.fields) });

/** The newest of each name that holds now; the snapshot holds those that a schema field accepts. */
function rawOf(rows: readonly StatedRow[], now: number): Fields {
  const newestFirst = rows.filter((row) => row.raw_fragments !== '{}' && holdsAt(row, now));
  return Object.assign({}, ...newestFirst.toReversed().map((row) => parseFields(row.raw_fragments))) as Fields;
}

function* gatherText(db: Reader, rows: readonly StatedRow[], charsMax: number): Work<ReadonlySet<string>> {
  const collector = createTextCollector(charsMax);
  const files = yield* recordTexts(db, rows);
  for (const row of rows) {
    for (const value of Object.values(statedOf(row))) valuesOf(value, collector.add);
    if (isFile(row)) valuesOf(files.get(row.source_id), collector.add);
    if (collector.isFull()) break;
  }
  return collector.texts();
}

const linesOf = (text: string): readonly string[] => JSON.parse(text) as readonly string[];
const printLines = (lines: Iterable<string>): string => JSON.stringify([...lines]);

/** The roots of one load, with the entities merged into them and their snapshots. */
interface Groups {
  idsOf(root: string): readonly string[];
  namesOf(root: string): readonly string[];
  readonly snapshots: ReadonlyMap<string, CurrentSnapshot>;
}

function* loadGroups(db: Reader, deps: SchemaDeps, rows: readonly EntityRow[]): Work<Groups> {
  const rootIds = rows.map(({ entity_id }) => entity_id);
  const members = Map.groupBy(yield* listMembersOf(db, rootIds), ({ root_id }) => root_id);
  return {
    idsOf: (root) => [root, ...(members.get(root) ?? []).map(({ entity_id }) => entity_id)],
    namesOf: (root) => (members.get(root) ?? []).map(({ canonical_name }) => canonical_name),
    snapshots: yield* currentSnapshots(db, deps, rows),
  };
}

/** Entities with few observations are read whole, all with one statement. */
function* loadSmall(db: Reader, rows: readonly EntityRow[], groups: Groups): Work<readonly IndexedEntity[]> {
  if (rows.length === 0) return [];
  const { entityPastChars, reindexedObservationsCount } = truthLimits;
  const rootOf = new Map(rows.flatMap(({ entity_id: root }) => groups.idsOf(root).map((id) => [id, root] as const)));
  const all = yield* listStated(db, [...rootOf.keys()], rows.length * reindexedObservationsCount);
  const byRoot = Map.groupBy(all, ({ entity_id }) => rootOf.get(entity_id)!);
  const entities: IndexedEntity[] = [];
  for (const row of rows) {
    const observed = byRoot.get(row.entity_id) ?? [];
    entities.push({
      row,
      otherNames: groups.namesOf(row.entity_id),
      current: { ...rawOf(observed, presentOf(db, row)), ...groups.snapshots.get(row.entity_id)?.snapshot },
      stated: yield* gatherText(db, observed, entityPastChars),
      statedFields: observed.map(statedOf),
    });
  }
  return entities;
}

const isSame = (lines: readonly string[], texts: ReadonlySet<string>): boolean =>
  lines.length === texts.size && lines.every((line) => texts.has(line));

/** An entity with many observations has a row with its values, to which the new ones are added. */
function* loadLarge(
  db: Reader,
  deps: SchemaDeps,
  row: EntityRow,
  groups: Groups,
  lines: readonly string[] | undefined,
  stated: readonly string[],
): Work<{ readonly entity: IndexedEntity; readonly text: TextRow | undefined }> {
  const { entityPastChars, gatheredObservationsCount } = truthLimits;
  const { entity_id, entity_type } = row;
  const members = groups.idsOf(entity_id);
  const collector = createTextCollector(entityPastChars);
  const newest =
    lines === undefined
      ? yield* gatherText(db, yield* listStated(db, members, gatheredObservationsCount), entityPastChars)
      : stated;
  for (const text of [...newest, ...(lines ?? [])]) collector.add(text);
  const texts = collector.texts();
  const raw = yield* rawFragmentsOf(db, members, yield* deps.schemas.active(db, entity_type), currentMoment(db, row));
  return {
    entity: {
      row,
      otherNames: groups.namesOf(entity_id),
      current: { ...raw, ...groups.snapshots.get(entity_id)?.snapshot },
      stated: texts,
      statedFields: undefined,
    },
    text: lines !== undefined && isSame(lines, texts) ? undefined : { entity_id, text: printLines(texts) },
  };
}

/**
 * What the index needs to know about these roots, in few statements. `stated`: what is new, by root. The cost does not
 * grow with the history of an entity.
 */
export function* loadIndexedEntities(
  db: Reader,
  deps: SchemaDeps,
  rootIds: readonly string[],
  stated: StatedTexts = new Map(),
): Work<LoadedEntities> {
  const rows = (yield* findEntities(db, rootIds)).filter(({ merged_into }) => merged_into === '');
  if (rows.length === 0) return { entities: [], texts: [] };
  const groups = yield* loadGroups(db, deps, rows);
  const isLarge = ({ observation_count }: EntityRow) => observation_count > truthLimits.reindexedObservationsCount;
  const entities = [
    ...(yield* loadSmall(
      db,
      rows.filter((row) => !isLarge(row)),
      groups,
    )),
  ];
  const large = rows.filter(isLarge);
  const texts: TextRow[] = [];
  const largeIds = large.map(({ entity_id }) => entity_id);
  const known = new Map(
    (large.length === 0 ? [] : yield* findTexts(db, largeIds)).map(({ entity_id, text }) => [entity_id, linesOf(text)]),
  );
  for (const row of large) {
    const { entity_id } = row;
    const loaded = yield* loadLarge(db, deps, row, groups, known.get(entity_id), stated.get(entity_id) ?? []);
    entities.push(loaded.entity);
    if (loaded.text !== undefined) texts.push(loaded.text);
  }
  return { entities, texts };
}
