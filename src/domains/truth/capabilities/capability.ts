import { z } from 'zod';
import { fieldPattern, toRelationshipType, typePattern } from '../truth-vocabulary.ts';

const field = z.string().regex(fieldPattern);

/** Relates the payload's own entity to the extracted ones. */
const linkFields = {
  link: z
    .string()
    .refine((text) => toRelationshipType(text) === text, { error: 'must be a relationship type such as ISSUED_BY' })
    .optional()
    .describe('Relationship type from the own entity to this one'),
  /** `inbound`: from this entity to the own one. */
  link_direction: z.enum(['outbound', 'inbound']).optional(),
};

/** Finds the other entities in a payload: one in a field, or one per item of an array. */
export const extractRule = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('field_value'),
    field,
    entity_type: z.string().regex(typePattern),
    /** Body fields with this prefix belong to the entity: `vendor_` turns `vendor_address` into `address`. */
    prefix: z.string().max(64).optional(),
    ...linkFields,
  }),
  z.strictObject({
    kind: z.literal('array_items'),
    field,
    entity_type: z.string().regex(typePattern),
    /** The member that holds the name, if the items are objects. */
    name_field: field.optional(),
    ...linkFields,
  }),
]);
export type ExtractRule = z.infer<typeof extractRule>;

export const capability = z.strictObject({
  capability_id: z.string().regex(/^[a-z0-9_-]{1,64}:[a-z0-9_-]{1,64}:v\d{1,4}$/),
  description: z.string().max(500).optional(),
  primary_type: z.string().regex(typePattern),
  /** Two payloads with equal hash fields are the same payload. */
  hash_fields: z.array(field).min(1).max(100),
  /** Together they identify the payload's own entity; `company` parts are normalised as company names. */
  natural_key: z.array(z.strictObject({ field, company: z.boolean().optional() })).max(10),
  extract: z.array(extractRule).max(50),
  source_priority: z.int().min(0).max(999).optional(),
});
export type Capability = z.infer<typeof capability>;
