import { z } from 'zod';
import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { openedFields } from '../contradictions/opened-contradictions.ts';
import { type Answer, entityIdField, fieldName } from '../entities/entity-model.ts';
import { forgottenFields } from '../forgetting/tombstones.ts';
import { timeField } from '../iso-time.ts';
import { isFiniteJson } from '../json-object.ts';
import { effectiveFields } from '../observations/effective-time.ts';
import { rawFields } from '../schemas/raw-remarks.ts';
import { reviewFields } from '../schemas/review-statement.ts';
import { truthLimits } from '../truth-limits.ts';
import { fieldPattern } from '../truth-vocabulary.ts';
import { outcomeFields } from './fact-outcome.ts';

const { nameChars, factTypeChars, factFieldsCount, factRelationsCount, sourceRefChars } = truthLimits;

/** Checked here and not by the listed schema, which is part of every tool list. */
const word = (chars: number) =>
  z.string().refine((text) => text.trim() !== '' && text.length <= chars, {
    error: `must be text of 1 to ${chars} characters`,
  });

const named = z.strictObject({
  type: word(factTypeChars).describe('person, company, task, …'),
  name: word(nameChars),
  key: word(nameChars).optional().describe('E-mail or number'),
});
export type NamedEntity = z.infer<typeof named>;

export type FactFields = Readonly<Record<string, Json>>;

function isFields(value: unknown): value is FactFields {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return (
    names.length <= factFieldsCount &&
    names.every((name) => fieldPattern.test(name)) &&
    isFiniteJson(value, truthLimits.bodyDepth)
  );
}

/** Passes the object itself on, not a copy by the parser. */
const fields = z
  .custom<FactFields>(isFields, {
    error: `must be an object of at most ${factFieldsCount} fields; names are letters, digits and _`,
  })
  .meta({ type: 'object' });

/** Listed in words: the schema of `named` would be in the tool list a second time. */
const target = z
  .custom<string | NamedEntity>((value) => z.union([entityIdField, named]).safeParse(value).success, {
    error: 'must be an entity_id (ent_…) or an object {type, name, key?}',
  })
  .meta({ type: ['string', 'object'] as never, description: 'entity_id or {type, name}' });

const relation = z.strictObject({
  type: word(factTypeChars).describe('WORKS_AT, PART_OF, …'),
  to: target,
  effective_at: timeField.optional(),
  effective_until: timeField.optional(),
});

export const factInput = z.strictObject({
  subject: named.optional(),
  entity_id: entityIdField.optional().describe('Instead of subject'),
  fields: fields.optional(),
  relations: z
    .array(relation)
    .refine((some) => some.length <= factRelationsCount, { error: `must be at most ${factRelationsCount} relations` })
    .optional(),
  ended: z
    .array(fieldName)
    .refine((some) => some.length <= factFieldsCount, { error: `must be at most ${factFieldsCount} fields` })
    .optional()
    .describe('Fields that end'),
  ...effectiveFields,
  source: word(sourceRefChars).optional(),
});
export type FactInput = z.infer<typeof factInput>;

const change = z.object({
  field: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

const touchedEntity = z.object({
  entity_id: z.string(),
  entity_type: z.string(),
  name: z.string(),
  created: z.boolean(),
});

export const factAnswer = touchedEntity.extend({
  submission_id: z.string(),
  changes: z.array(change).describe('What the snapshot shows now, or at `changes_at`, and did not show before'),
  ...outcomeFields,
  effective_at: z.string().optional(),
  effective_until: z.string().optional(),
  relations: z
    .array(
      z.object({
        relationship_id: z.string(),
        type: z.string(),
        to: touchedEntity,
        created: z.boolean(),
        effective_at: z.string().optional(),
        effective_until: z.string().optional(),
      }),
    )
    .optional(),
  ...reviewFields,
  raw_fields: rawFields.raw_fields,
  ...openedFields,
  ...forgottenFields,
  message: z.string(),
});
export type FactAnswer = Answer<typeof factAnswer>;
