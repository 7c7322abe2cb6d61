import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { chunksOf } from '../chunks.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import { parseFields } from '../entities/reduce-rows.ts';
import { aliasFields } from '../observations/derived-rows.ts';
import { companyType, keySeparator, normaliseName } from '../observations/entity-name.ts';
import { entitiesTotal, eventsTotal, observationsTotal } from '../observations/totals.ts';
import { correctionTopic, entityTopic, relationshipTopic } from '../truth-vocabulary.ts';
import { blankPayloads, blankRecords } from './blank-sources.ts';
import {
  deleteContradictionsOf,
  deleteCorrections,
  deleteEdges,
  deleteEntities,
  deleteEventsOf,
  deleteIdentifiersOf,
  deleteMatchKeysOf,
  deleteMergesOf,
  deleteObservationsOf,
  deletePairsWith,
  deleteRetractions,
  deleteStatementsOf,
  deleteUnshared,
  type FieldsRow,
  findNames,
  listEdgeSources,
  listEdgesOf,
  listFields,
  listSources,
} from './forget-store.ts';
import { forgettingLimits } from './forgetting-limits.ts';
import type { Removal, RemovalDeps } from './removal.ts';
import { noteContradictions } from './remove-derived.ts';

/** An entity and everything merged into it: to a reader they are one. */
export interface Group {
  readonly root: EntityRow;
  readonly members: readonly string[];
  /** As they were written. */
  readonly names: readonly string[];
}

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The names of the rows, and those that observations state. */
export function* namesOf(db: Reader, members: readonly string[]): Work<readonly string[]> {
  const rows = yield* findNames(db, members);
  // A name with a key has both.
  const names = new Set(rows.flatMap(({ canonical_name }) => [canonical_name, ...canonical_name.split(keySeparator)]));
  for (const member of members) {
    for (let after: FieldsRow | undefined; ; ) {
      const page: readonly FieldsRow[] = yield* listFields(db, member, after, forgettingLimits.forgottenFieldsCount);
      for (const { fields, raw_fragments } of page) {
        const stated = { ...parseFields(raw_fragments), ...parseFields(fields) };
        for (const field of aliasFields) for (const text of textsIn(stated[field])) names.add(text.trim());
        if (names.size > forgettingLimits.forgottenNamesCount) return [...names];
      }
      if (page.length < forgettingLimits.forgottenFieldsCount) break;
      after = page.at(-1);
    }
  }
  return [...names];
}

function tooMany(): never {
  throw faults.RESOURCE_LIMIT({
    what: 'The number of sources of one entity',
    limit: forgettingLimits.forgottenSourcesCount,
    unit: 'sources; forget some of them first with forget_source',
  });
}

/** Rows of entities that follow from their observations, or refer to them. */
export function* removeEntityRows(db: Writer, deps: RemovalDeps, removal: Removal, ids: readonly string[]): Work<void> {
  if (ids.length === 0) return;
  noteContradictions(removal, yield* deleteContradictionsOf(db, ids));
  const events = yield* deleteEventsOf(db, ids);
  for (const { event_type } of events) removal.tally.add(eventsTotal, event_type, -1);
  removal.counts.events += events.length;
  removal.counts.names += yield* deleteIdentifiersOf(db, ids);
  const keys = [...(yield* deleteMatchKeysOf(db, ids))];
  for (const id of ids) keys.push(...(yield* deletePairsWith(db, id)));
  yield* deleteUnshared(db, keys);
  yield* deleteMergesOf(db, ids);
  const deleted = yield* deleteEntities(db, ids);
  for (const { entity_type, merged_into } of deleted) {
    if (merged_into === '') removal.tally.add(entitiesTotal, entity_type, -1);
  }
  removal.counts.entities += deleted.length;
  for (const id of ids) {
    removal.items.push({ topic: entityTopic, id });
    removal.ids.add(id);
    removal.affected.delete(id);
  }
  yield* deps.entityDocuments.drop(db, ids);
}

export function* removeEdges(db: Writer, removal: Removal, relationshipIds: readonly string[]): Work<void> {
  if (relationshipIds.length === 0) return;
  yield* deleteStatementsOf(db, relationshipIds);
  removal.counts.relationships += yield* deleteEdges(db, relationshipIds);
  for (const id of relationshipIds) {
    removal.items.push({ topic: relationshipTopic, id });
    removal.ids.add(id);
  }
}

/** Removes the group, and from every source the fields about it. */
export function* removeGroup(db: Writer, deps: RemovalDeps, removal: Removal, group: Group): Work<void> {
  const { root, members, names } = group;
  const sources = yield* listSources(db, members, forgettingLimits.forgottenSourcesCount + 1);
  const edges = yield* listEdgesOf(db, root.entity_id);
  const edgeIds = edges.map(({ relationship_id }) => relationship_id);
  const stated = [
    ...sources,
    ...(yield* listEdgeSources(db, edgeIds)).flatMap(({ source_kind, source_id }) =>
      source_id === null ? [] : [{ source_kind, source_id }],
    ),
  ];
  if (stated.length > forgettingLimits.forgottenSourcesCount) tooMany();
  const idsOf = (kind: string): readonly string[] => [
    ...new Set(stated.filter(({ source_kind }) => source_kind === kind).map(({ source_id }) => source_id)),
  ];
  const isCompany = root.entity_type === companyType;
  const forgotten = {
    members: new Set(members),
    names: new Set(names.map((name) => normaliseName(name, isCompany))),
    edges: new Set(edgeIds),
  };
  for (const some of chunksOf(idsOf('payload'), forgettingLimits.blankedSourcesCount)) {
    yield* blankPayloads(db, deps, removal, forgotten, some);
  }
  for (const some of chunksOf(idsOf('record'), forgettingLimits.blankedSourcesCount)) {
    yield* blankRecords(db, deps, removal, forgotten, some);
  }
  const count = yield* deleteObservationsOf(db, members);
  removal.counts.observations += count;
  if (count > 0) removal.tally.add(observationsTotal, '', -count);
  const corrections = idsOf('correction');
  removal.counts.corrections += yield* deleteCorrections(db, corrections);
  yield* deleteRetractions(db, corrections);
  for (const id of corrections) {
    removal.items.push({ topic: correctionTopic, id });
    removal.ids.add(id);
  }
  // The other ends are found by the names of their neighbours.
  for (const { source_root_id, target_root_id } of edges) {
    for (const id of [source_root_id, target_root_id]) removal.affected.add(id);
  }
  yield* removeEdges(db, removal, edgeIds);
  yield* removeEntityRows(db, deps, removal, members);
}
