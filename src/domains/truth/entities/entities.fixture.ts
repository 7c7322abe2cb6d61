import { createCursors } from '#kernel/cursor/cursor.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { createMerges } from '../merges/merges.ts';
import { entityIdOf, normaliseName } from '../observations/entity-name.ts';
import type { ObservationSource } from '../observations/observation.ts';
import { writeObservations } from '../observations/write-observations.ts';
import { createRelationships } from '../relationships/relationships.ts';
import { createTimeline } from '../timeline/timeline.ts';
import { createTruthFixture, type TruthEngine } from '../truth.fixture.ts';
import { entityTools, mergeTools, timelineTools } from '../truth-toolset.ts';
import { createEntities } from './entities.ts';

export const companyId = (name: string): string => entityIdOf('company', normaliseName(name, true));

export interface CompanyStatement {
  readonly company: string;
  readonly stated: Readonly<Record<string, Json>>;
  readonly source: Pick<ObservationSource, 'id'> & Partial<ObservationSource>;
}

/** Entities, merges and the timeline of a new tenant, called through their tools. */
export function createEntitiesFixture(engine: TruthEngine, storage?: Storage, tenant = engine.newTenant()) {
  const base = engine.base(storage);
  const cursors = createCursors(Buffer.from('the cursors of a test'));
  const parts = {
    entities: createEntities(base),
    relationships: createRelationships(base),
    merges: createMerges({ ...base, cursors }),
    timeline: createTimeline(base),
  };
  const truth = createTruthFixture(base, parts, [...entityTools, ...mergeTools, ...timelineTools]);
  const mine = truth.as(tenant);

  /** Writes an observation without a payload or record and returns its id. */
  const say = ({ company, stated, source }: CompanyStatement): Promise<string> =>
    mine.read(function* (db) {
      const name = normaliseName(company, true);
      const whole: ObservationSource = {
        kind: 'payload',
        key: source.id,
        submissionId: source.id,
        origin: source.id,
        period: { effectiveUntil: null },
        observedAt: db.now,
        priority: 100,
        ...source,
      };
      const [written] = yield* writeObservations(db, base, whole, [
        {
          entityType: 'company',
          entityId: entityIdOf('company', name),
          displayName: company,
          name,
          identityRule: 'name',
          role: 'self',
          stated,
        },
      ]);
      return written!.observationId;
    });

  const merge = (source: string, target: string) =>
    mine.ask('merge_entities', { source_entity_id: companyId(source), target_entity_id: companyId(target) });
  const unmerge = (source: string, target: string) =>
    mine.ask('unmerge_entities', { source_entity_id: companyId(source), target_entity_id: companyId(target) });

  return { ...truth, ...mine, say, merge, unmerge };
}
