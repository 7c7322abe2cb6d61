import { z } from 'zod';
import { fieldPattern, typePattern } from '../truth-vocabulary.ts';

const field = z.string().regex(fieldPattern);

/** Other entities that are in a payload: one named by a field, or one for each item of an array. */
export const extractRule = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('field_value'),
    field,
    entity_type: z.string().regex(typePattern),
    /** Fields of the body that begin so belong to this entity: `vendor_` takes `vendor_address` as `address`. */
    prefix: z.string().max(64).optional(),
  }),
  z.strictObject({
    kind: z.literal('array_items'),
    field,
    entity_type: z.string().regex(typePattern),
    /** Where an item is an object: the member that names it. */
    name_field: field.optional(),
  }),
]);
export type ExtractRule = z.infer<typeof extractRule>;

export const capability = z.strictObject({
  capability_id: z.string().regex(/^[a-z0-9_-]{1,64}:[a-z0-9_-]{1,64}:v\d{1,4}$/),
  description: z.string().max(500).optional(),
  primary_type: z.string().regex(typePattern),
  /** What makes two payloads the same one. */
  hash_fields: z.array(field).min(1).max(100),
  /** All of them together name the payload's own entity; `company` ones are normalised as companies. */
  natural_key: z.array(z.strictObject({ field, company: z.boolean().optional() })).max(10),
  extract: z.array(extractRule).max(50),
  source_priority: z.int().min(0).max(999).optional(),
});
export type Capability = z.infer<typeof capability>;
