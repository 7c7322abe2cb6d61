/** Topics of the change log; clients subscribe to `entity` changes through `entity://{entity_id}`. */
export const entityTopic = 'entity';
export const payloadTopic = 'payload';
export const submissionTopic = 'submission';
export const correctionTopic = 'correction';
export const contradictionTopic = 'contradiction';
export const relationshipTopic = 'relationship';
export const recordTopic = 'record';
export const fileTopic = 'file';
export const relationshipTypeTopic = 'relationship-type';
export const schemaTopic = 'truth-schema';
export const capabilityTopic = 'capability';

export const entityIdPattern = /^ent_[a-z0-9]{1,64}$/;

/** Entity types, and field names in schemas and corrections. */
export const typePattern = /^[a-z][a-z0-9_]{0,63}$/;
export const fieldPattern = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** The longest name of a relationship type. */
const relationshipTypeChars = 64;
const relationshipTypePattern = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

/** `works at` and `works-at` are WORKS_AT. Undefined if the text cannot be a type. */
export function toRelationshipType(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 2 * relationshipTypeChars) return undefined;
  const type = text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s_-]+/g, '_');
  return type.length <= relationshipTypeChars && relationshipTypePattern.test(type) ? type : undefined;
}
