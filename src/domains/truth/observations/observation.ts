import type { Json } from '#kernel/json/canonical.ts';
import type { OpenedContradiction } from '../contradictions/track-contradictions.ts';
import type { ForgottenBefore } from '../forgetting/tombstones.ts';
import type { GivenPeriod } from './effective-time.ts';
import type { LookupHit } from './similar-store.ts';

export type Fields = Readonly<Record<string, Json>>;

/** When a statement holds. */
export interface Period {
  readonly effectiveAt: number;
  /** Exclusive; null: no end is known. */
  readonly effectiveUntil: number | null;
}

/** With the precision that was stated, if it is not a moment: the number of characters of the ISO 8601 form. */
export interface StatedPeriod extends Period {
  readonly atChars?: number | undefined;
  readonly untilChars?: number | undefined;
}

export interface Observation extends Period {
  readonly id: string;
  readonly observedAt: number;
  readonly recordedAt: number;
  readonly priority: number;
  readonly specificity: number;
  readonly isCorrection: boolean;
  /** A correction that gives way to statements that are recorded later and effective later. */
  readonly isUntilNewer: boolean;
  /** Who stated it: observations of one origin update each other, those of different ones can contradict each other. */
  readonly origin: string;
  readonly fields: Fields;
  /** Values that the schema did not accept when they were recorded. */
  readonly rawFragments: Fields;
  /** Fields that have no value from here on. */
  readonly ended: readonly string[];
}

export type SourceKind = 'payload' | 'record' | 'correction';

export interface ObservationSource {
  readonly kind: SourceKind;
  /** Shown as `source_record_id`. */
  readonly id: string;
  /** Used in observation ids: made from the content of a submission, so that the ids are the same in any store. */
  readonly key: string;
  /** The act of stating it: a submission, a correction, or the record itself. */
  readonly submissionId: string;
  readonly origin: string;
  readonly observedAt: number;
  /** Without a start: the earlier of `observedAt` and the time of recording. */
  readonly period: GivenPeriod;
  readonly priority: number;
  readonly isUntilNewer?: boolean;
}

export type IdentityRule = 'natural_key' | 'title' | 'content' | 'name';

/** What a source states about one entity, before a schema is applied. */
export interface ObservationDraft {
  readonly entityType: string;
  readonly entityId: string;
  /** As written. */
  readonly displayName: string;
  /** Normalised; the entity id is derived from it. */
  readonly name: string;
  readonly identityRule: IdentityRule;
  /** The part it plays in the source: `self`, `vendor_name`, `parties[0]`. Unique within a source. */
  readonly role: string;
  readonly stated: Readonly<Record<string, Json>>;
  readonly ended?: readonly string[];
  /** Of this statement alone; default: that of the source. */
  readonly period?: GivenPeriod;
}

export interface WrittenObservation {
  readonly observationId: string;
  readonly entityId: string;
  readonly entityType: string;
  readonly identityRule: IdentityRule;
  readonly role: string;
  /** Normalised. */
  readonly name: string;
  /** The entity did not exist before. */
  readonly isNew: boolean;
  /** Of its numbers; empty if the observation existed before. */
  readonly matchKeys: readonly MatchKey[];
  /** Keys of entities whose name may be like that of a new one. */
  readonly similar: readonly LookupHit[];
  /** The entity was forgotten before this was stated. */
  readonly forgottenBefore?: ForgottenBefore | undefined;
  /** Contradictions with earlier statements. */
  readonly opened: readonly OpenedContradiction[];
}

/** Entities of a type with the same key may be duplicates. */
export interface MatchKey {
  readonly entity_type: string;
  readonly match_key: string;
}
