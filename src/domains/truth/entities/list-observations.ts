import type { Call } from '#kernel/call.ts';
import { fitPage } from '#kernel/text/budget.ts';
import { toIso } from '../iso-time.ts';
import type { Fields } from '../observations/observation.ts';
import { truthLimits } from '../truth-limits.ts';
import { type ObservationView, showTimes, type Truncation } from './entity-model.ts';
import { type EntitiesDeps, expectRoot, membersOf } from './load-entity.ts';
import { listGroupObservations, listObservations, type ObservationRow, parseDetails } from './observed-store.ts';

export interface PageInput {
  readonly limit: number;
  readonly offset: number;
}

export interface ObservationsAnswer extends PageInput, Truncation {
  readonly observations: readonly ObservationView[];
  readonly total: number;
}

function shownDetails({ details }: ObservationRow): Pick<ObservationView, 'ended' | 'until_newer'> {
  const { ended, until_newer } = parseDetails(details);
  return { ...(ended === undefined ? {} : { ended }), ...(until_newer === undefined ? {} : { until_newer }) };
}

const toObservationView = (row: ObservationRow): ObservationView => ({
  id: row.observation_id,
  entity_id: row.entity_id,
  entity_type: row.entity_type,
  schema_version: row.schema_version,
  source_kind: row.source_kind,
  source_record_id: row.source_id,
  ...(row.source_kind === 'payload' ? { source_payload_id: row.source_id } : {}),
  role: row.role,
  submission_id: row.submission_id,
  observed_at: toIso(row.observed_at),
  ...showTimes(row),
  specificity_score: row.specificity,
  source_priority: row.priority,
  fields: JSON.parse(row.fields) as Fields,
  raw_fragments: JSON.parse(row.raw_fragments) as Fields,
  ...shownDetails(row),
  created_at: toIso(row.created_at),
});

/** Upper bound of the JSON around the two texts of a row. */
const aroundBytes = 1_000;
const bytesOf = (row: ObservationRow): number =>
  Buffer.byteLength(row.fields) + Buffer.byteLength(row.raw_fragments) + aroundBytes;

export function createObservationList({ storage }: Pick<EntitiesDeps, 'storage'>) {
  return function observations(
    { entity_id, limit, offset }: PageInput & { readonly entity_id: string },
    call: Call,
  ): Promise<ObservationsAnswer> {
    return storage.read(call, function* (db) {
      const { root } = yield* expectRoot(db, entity_id);
      const members = yield* membersOf(db, root.entity_id);
      const rows: ObservationRow[] = [];
      let bytes = 0;
      while (rows.length < limit && bytes <= truthLimits.answerBytes) {
        const wanted = Math.min(truthLimits.rowBatchCount, limit - rows.length);
        const from = offset + rows.length;
        const more =
          members.length === 1
            ? yield* listObservations(db, members[0]!, wanted, from)
            : yield* listGroupObservations(db, members, wanted, from);
        rows.push(...more);
        for (const row of more) bytes += bytesOf(row);
        if (more.length < wanted) break;
      }
      const page = fitPage(rows, truthLimits.answerBytes, bytesOf);
      return {
        observations: page.items.map(toObservationView),
        total: root.observation_count,
        limit,
        offset,
        ...(page.more ? { truncated: true, nextOffset: offset + page.items.length } : {}),
      };
    });
  };
}
