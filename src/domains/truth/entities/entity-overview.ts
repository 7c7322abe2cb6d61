import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { cutText } from '#kernel/fault/bound-fault.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { chunksOf } from '../chunks.ts';
import { toIso } from '../iso-time.ts';
import { truthPageLimits } from '../page-limits.ts';
import { contributorsOf, type StateView, toStateView } from '../reducer/entity-state.ts';
import { truthLimits } from '../truth-limits.ts';
import { type Answer, showTimes, sourceKinds, statementTimes } from './entity-model.ts';
import { findEntityHeads } from './entity-store.ts';
import type { EntitiesDeps } from './load-entity.ts';
import { findObservations, type ObservationRow } from './observed-store.ts';
import { type ProvenanceInput, stateFor } from './provenance/field-provenance.ts';
import { sourceRecord, statedBy } from './provenance/provenance-model.ts';
import { findOrigins, type StatementOrigin } from './provenance/statement-origins.ts';
import { rawFragmentsOf } from './raw-fragments.ts';
import { awaitCommits, toMoment } from './read-snapshot.ts';
import { shorten } from './search/show-found.ts';

const shownValue = {
  value: z.unknown(),
  shortened: z.literal(true).optional().describe('The value was cut; get_entity_snapshot has it whole'),
};

const overviewField = z.object({
  field: z.string(),
  ...shownValue,
  observation_id: z.string(),
  observed_at: z.string(),
  created_at: z.string(),
  ...statementTimes,
  source_kind: z.enum(sourceKinds),
  submission_id: z.string(),
  ...statedBy,
  source_record: sourceRecord,
  source: z.string().optional().describe('What the source was called'),
  contributing_total: z.int(),
});

export const entityOverview = z.object({
  entity_id: z.string(),
  entity_type: z.string(),
  canonical_name: z.string(),
  schema_version: z.string(),
  redirected_from: z.string().optional(),
  observation_count: z.int(),
  last_observation_at: z.string(),
  fields: z.array(overviewField),
  raw_fields: z.array(z.object({ field: z.string(), ...shownValue })).describe('Values that no schema field accepts'),
  merged: z
    .array(z.object({ entity_id: z.string(), canonical_name: z.string(), merged_into: z.string() }))
    .describe('Entities that are merged into it now'),
  truncated: z.literal(true).optional().describe('There are more fields or merged entities'),
});
export type EntityOverview = Answer<typeof entityOverview>;
type OverviewField = EntityOverview['fields'][number];

export type OverviewInput = Omit<ProvenanceInput, 'field'>;

function showValue(value: Json): Pick<OverviewField, 'value' | 'shortened'> {
  const shown = shorten(value, truthPageLimits.overviewValueChars);
  return shown === value ? { value } : { value: shown ?? null, shortened: true };
}

/** As the caller called it, or the file. */
function nameSource({ source }: StatementOrigin): Pick<OverviewField, 'source'> {
  const name = source.refs[0] ?? source.record.file_name;
  return name === undefined ? {} : { source: cutText(name, truthPageLimits.overviewSourceChars) };
}

interface Winner {
  readonly field: string;
  readonly observationId: string;
}

/** The observations of the winners, with their origins. In batches, because an observation may be long. */
function* findWinners(
  db: Reader,
  members: readonly string[],
  winners: readonly Winner[],
  observedAtOf: (id: string) => number,
): Work<ReadonlyMap<string, { readonly row: ObservationRow; readonly origin: StatementOrigin }>> {
  const found = new Map<string, { readonly row: ObservationRow; readonly origin: StatementOrigin }>();
  const ids = [...new Set(winners.map(({ observationId }) => observationId))];
  for (const some of chunksOf(ids, truthLimits.rowBatchCount)) {
    const rows = yield* findObservations(db, members, [...new Set(some.map(observedAtOf))], some);
    const origins = yield* findOrigins(db, rows);
    for (const row of rows) found.set(row.observation_id, { row, origin: origins.get(row.observation_id)! });
  }
  return found;
}

const winnersOf = ({ provenance }: StateView): readonly Winner[] =>
  Object.entries(provenance)
    .slice(0, truthPageLimits.overviewFieldsCount)
    .map(([field, observationId]) => ({ field, observationId }));

/** [TR89] What a page about an entity shows: each field with its value, its start and its source. */
export function createOverview(deps: EntitiesDeps) {
  function* read(db: Reader, input: OverviewInput): Work<EntityOverview> {
    const { state, schema, rootId, members, moment, redirectedFrom, ...counts } = yield* stateFor(db, deps, input);
    const view = toStateView(state, schema);
    const winners = winnersOf(view);
    const contributors = contributorsOf(state);
    const found = yield* findWinners(db, members, winners, (id) => contributors.get(id)!.observedAt);
    const raw = yield* rawFragmentsOf(db, members, schema, moment);
    const { overviewFieldsCount, overviewMergedCount } = truthPageLimits;
    const heads = yield* findEntityHeads(db, [rootId, ...members.slice(0, overviewMergedCount + 1)]);
    const merged = heads.filter(({ entity_id, merged_into }) => entity_id !== rootId && merged_into !== '');
    const isCut =
      Object.keys(view.snapshot).length > winners.length ||
      Object.keys(raw).length > overviewFieldsCount ||
      members.length - 1 > overviewMergedCount;
    return {
      entity_id: rootId,
      entity_type: schema.entity_type,
      canonical_name: heads.find(({ entity_id }) => entity_id === rootId)!.canonical_name,
      schema_version: schema.version,
      ...(redirectedFrom === undefined ? {} : { redirected_from: redirectedFrom }),
      observation_count: counts.observationCount,
      last_observation_at: toIso(counts.lastObservedAt),
      fields: winners.map(({ field, observationId }) => {
        const { row, origin } = found.get(observationId)!;
        return {
          field,
          ...showValue(view.snapshot[field]!),
          observation_id: observationId,
          observed_at: toIso(row.observed_at),
          created_at: toIso(row.created_at),
          ...showTimes(row),
          source_kind: row.source_kind,
          submission_id: row.submission_id,
          ...origin.statedBy,
          source_record: origin.source.record,
          ...nameSource(origin),
          contributing_total: view.provenance_all[field]!.length,
        };
      }),
      raw_fields: Object.entries(raw)
        .slice(0, overviewFieldsCount)
        .map(([field, value]) => ({ field, ...showValue(value) })),
      merged: merged
        .slice(0, overviewMergedCount)
        .map(({ entity_id, canonical_name, merged_into }) => ({ entity_id, canonical_name, merged_into })),
      ...(isCut && { truncated: true }),
    };
  }

  return async function overview(input: OverviewInput, call: Call): Promise<EntityOverview> {
    await awaitCommits(deps, toMoment(input, deps.clock.now()), call);
    return deps.storage.read(call, (db) => read(db, input));
  };
}
