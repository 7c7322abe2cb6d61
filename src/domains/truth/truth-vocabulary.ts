/** Topics of the change log; clients subscribe to `entity` changes through `entity://{entity_id}`. */
export const entityTopic = 'entity';
export const payloadTopic = 'payload';
export const submissionTopic = 'submission';
export const correctionTopic = 'correction';
export const relationshipTopic = 'relationship';
export const recordTopic = 'record';
export const fileTopic = 'file';
export const schemaTopic = 'truth-schema';
export const capabilityTopic = 'capability';

export const entityIdPattern = /^ent_[a-z0-9]{1,64}$/;

/** Entity types, and field names in schemas and corrections. */
export const typePattern = /^[a-z][a-z0-9_]{0,63}$/;
export const fieldPattern = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

export const relationshipTypes = [
  'PART_OF',
  'CORRECTS',
  'REFERS_TO',
  'SETTLES',
  'DUPLICATE_OF',
  'DEPENDS_ON',
  'SUPERSEDES',
] as const;
export type RelationshipType = (typeof relationshipTypes)[number];

/** Edges of these types must not form a cycle; references may be mutual. */
export const acyclicTypes: ReadonlySet<RelationshipType> = new Set(
  relationshipTypes.filter((type) => type !== 'REFERS_TO'),
);
