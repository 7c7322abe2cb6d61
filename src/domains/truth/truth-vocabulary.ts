/** What changes are told of: `entity` is what `entity://{entity_id}` shows. */
export const entityTopic = 'entity';
export const payloadTopic = 'payload';
export const relationshipTopic = 'relationship';
export const recordTopic = 'record';
export const fileTopic = 'file';
export const schemaTopic = 'truth-schema';
export const capabilityTopic = 'capability';

export const entityIdPattern = /^ent_[a-z0-9]{1,64}$/;

/** Entity types, and names of fields that schemas and corrections use. */
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

/** In these an edge may not lead back to where it came from; a reference may be mutual. */
export const acyclicTypes: ReadonlySet<RelationshipType> = new Set(
  relationshipTypes.filter((type) => type !== 'REFERS_TO'),
);
