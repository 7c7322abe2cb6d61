import type { Work, Writer } from '#kernel/storage/port.ts';
import type { Observation, ObservationDraft, ObservationSource } from '../observations/observation.ts';
import type { ForgottenBefore, Tombstones } from './tombstones.ts';

interface Statement {
  readonly source: Pick<ObservationSource, 'kind' | 'key' | 'observedAt'>;
  readonly draft: Pick<ObservationDraft, 'entityId' | 'entityType' | 'name'>;
  readonly observation: Pick<Observation, 'observedAt'>;
}

const none: ReadonlyMap<string, ForgottenBefore> = new Map();

/** [TR126] What was recorded before something was forgotten must not bring it back. */
export function* refuseForgotten(
  db: Writer,
  tombstones: Pick<Tombstones, 'refuseForgotten'> | undefined,
  statements: readonly Statement[],
): Work<ReadonlyMap<string, ForgottenBefore>> {
  // Most tenants never forget anything, and pay nothing for this.
  if (tombstones === undefined || db.forgottenAt === 0) return none;
  const before = yield* tombstones.refuseForgotten(
    db,
    statements.map(({ draft, observation: { observedAt } }) => ({ ...draft, observedAt })),
    statements.map(({ source: { kind, key, observedAt } }) => ({
      items: kind === 'payload' ? [{ kind: 'content', value: key }] : [],
      observedAt,
    })),
  );
  return new Map(before.map((one) => [one.entity_id, one]));
}
