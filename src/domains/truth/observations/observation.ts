import type { Json } from '#kernel/json/canonical.ts';

export type Fields = Readonly<Record<string, Json>>;

/** An observation as the reducer sees it. */
export interface Observation {
  readonly id: string;
  readonly observedAt: number;
  readonly recordedAt: number;
  readonly priority: number;
  readonly specificity: number;
  readonly isCorrection: boolean;
  readonly fields: Fields;
  /** What no schema knew when it was recorded. */
  readonly rawFragments: Fields;
}

export type SourceKind = 'payload' | 'record' | 'correction';

/** Where observations come from. */
export interface ObservationSource {
  readonly kind: SourceKind;
  /** What `source_record_id` shows. */
  readonly id: string;
  /** Stands for it in the ids of observations: a payload's content id, so that they are the same in any store. */
  readonly key: string;
  readonly observedAt: number;
  readonly priority: number;
}

export type IdentityRule = 'natural_key' | 'title' | 'content' | 'name';

/** What a source says about one entity, before any schema has looked at it. */
export interface ObservationDraft {
  readonly entityType: string;
  readonly entityId: string;
  /** As a person would write it. */
  readonly displayName: string;
  /** What the id is made of: normalised. */
  readonly name: string;
  readonly identityRule: IdentityRule;
  /** What part it has in the source: `self`, `vendor_name`, `parties[0]`. One source has a role once. */
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
