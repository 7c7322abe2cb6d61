import type { Call } from '#kernel/call.ts';
import { readTime, toIso } from '../iso-time.ts';
import type { SourceKind } from '../observations/observation.ts';
import { findSubmissions } from '../payloads/submission-store.ts';
import type { EntitiesDeps } from './load-entity.ts';
import { findNewestInMoment } from './observed-store.ts';

/** The origin of the newest observation of an entity that counts. */
export interface NewestSource {
  readonly entity_id: string;
  readonly observed_at: string;
  readonly source_kind: SourceKind;
  readonly agent_id: string | undefined;
  readonly source_refs: readonly string[];
}

export const createNewestSources =
  ({ storage }: Pick<EntitiesDeps, 'storage'>) =>
  /** For a few entities: one statement for all observations, and one for all submissions. */
  (entityIds: readonly string[], at: string | undefined, call: Call): Promise<readonly NewestSource[]> =>
    storage.read(call, function* (db) {
      const then = at === undefined ? db.now : readTime(at, 'at').end - 1;
      const newest = yield* findNewestInMoment(db, entityIds, { at: then, knownAt: Number.MAX_SAFE_INTEGER });
      const submissions = yield* findSubmissions(
        db,
        newest.map(({ submission_id }) => submission_id),
      );
      const byId = new Map(submissions.map((one) => [one.submission_id, one]));
      return newest.map((row) => {
        const submission = byId.get(row.submission_id);
        return {
          entity_id: row.entity_id,
          observed_at: toIso(row.observed_at),
          source_kind: row.source_kind,
          agent_id: submission?.agent_id ?? undefined,
          source_refs: submission === undefined ? [] : (JSON.parse(submission.source_refs) as readonly string[]),
        };
      });
    });
