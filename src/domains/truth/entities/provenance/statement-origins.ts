import type { Reader, Work } from '#kernel/storage/port.ts';
import { chunksOf } from '../../chunks.ts';
import { toIso } from '../../iso-time.ts';
import { findSubmissions } from '../../payloads/submission-store.ts';
import { truthLimits } from '../../truth-limits.ts';
import type { ObservationRow } from '../observed-store.ts';
import type { StatedBy } from './provenance-model.ts';
import { findSources, type SourceWithRefs } from './provenance-sources.ts';

/** Where an observation comes from. */
export interface StatementOrigin {
  readonly source: SourceWithRefs;
  readonly statedBy: StatedBy;
}

/** A purged record leaves only its id and its observations. */
const purgedSource = (row: ObservationRow): SourceWithRefs => ({
  record: { id: row.source_id, type: row.source_kind, file_urls: [], created_at: toIso(row.created_at), deleted: true },
  refs: [],
});

/** By observation id. A few statements for each batch, because the body of a submission may be long. */
export function* findOrigins(db: Reader, rows: readonly ObservationRow[]): Work<ReadonlyMap<string, StatementOrigin>> {
  const origins = new Map<string, StatementOrigin>();
  for (const some of chunksOf(rows, truthLimits.rowBatchCount)) {
    const sources = yield* findSources(db, some);
    const submissionIds = [...new Set(some.map(({ submission_id }) => submission_id))];
    const submissions = new Map(
      (yield* findSubmissions(db, submissionIds)).map((one) => [
        one.submission_id,
        {
          ...(one.agent_id === null ? {} : { agent_id: one.agent_id }),
          ...(one.actor === '' ? {} : { actor: one.actor }),
          extractor_version: one.extractor_version,
        },
      ]),
    );
    for (const row of some) {
      const source = sources.get(row.source_id) ?? purgedSource(row);
      const { actor } = source;
      const statedBy = submissions.get(row.submission_id) ?? (actor === undefined ? {} : { actor });
      origins.set(row.observation_id, { source, statedBy });
    }
  }
  return origins;
}
