import type { Json } from '#kernel/json/canonical.ts';

export type Fields = Readonly<Record<string, Json>>;

export interface Observation {
  readonly id: string;
  readonly observedAt: number;
  readonly recordedAt: number;
  readonly priority: number;
  readonly specificity: number;
  readonly isCorrection: boolean;
  readonly fields: Fields;
  /** Values that the schema did not accept when they were recorded. */
  readonly rawFragments: Fields;
}

export type SourceKind = 'payload' | 'record' | 'correction';

export interface ObservationSource {
  readonly kind: SourceKind;
  /** Shown as `source_record_id`. */
  readonly id: string;
  /** Used in observation ids: the content id of a payload, so that the ids are the same in any store. */
  readonly key: string;
  readonly observedAt: number;
  readonly priority: number;
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
}

export interface WrittenObservation {
  readonly observationId: string;
  readonly entityId: string;
  readonly entityType: string;
  readonly identityRule: IdentityRule;
  readonly role: string;
}
