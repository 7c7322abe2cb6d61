import { z } from 'zod';
import { isObject } from '#kernel/json/is-object.ts';
import { truthLimits } from '../truth-limits.ts';
import { fieldPattern, typePattern } from '../words.ts';

export const fieldTypes = ['string', 'number', 'boolean', 'date', 'array', 'object'] as const;
export const strategies = ['last_write', 'highest_priority', 'most_specific', 'merge_array'] as const;
export const tieBreakers = ['observed_at', 'source_priority', 'specificity_score'] as const;

export type FieldType = (typeof fieldTypes)[number];
export type Strategy = (typeof strategies)[number];
export type TieBreaker = (typeof tieBreakers)[number];

export const schemaField = z.strictObject({
  type: z.enum(fieldTypes),
  strategy: z.enum(strategies).optional(),
  tie_breaker: z.enum(tieBreakers).optional(),
  /** Entities can be asked for by its value. */
  identifier: z.boolean().optional(),
  description: z.string().max(truthLimits.descriptionChars).optional(),
});
export type SchemaField = z.infer<typeof schemaField>;

export type SchemaFields = Readonly<Record<string, SchemaField>>;

const fieldsGiven = z.record(z.string().regex(fieldPattern), schemaField);

/** The map itself goes on, not the parser's copy: that one leaves a field called `__proto__` out without a word. */
export const schemaFields = z
  .custom<SchemaFields>(isObject, { error: 'must be object' })
  .superRefine((fields, { addIssue }) => {
    const names = Object.keys(fields);
    if (names.length > truthLimits.fieldsCount) {
      addIssue({ code: 'custom', message: `has more than ${truthLimits.fieldsCount} fields` });
      return;
    }
    for (const name of names) {
      if (!fieldPattern.test(name)) {
        addIssue({ code: 'custom', message: 'is no name of a field', path: [name.slice(0, 128)] });
      }
      for (const issue of schemaField.safeParse(fields[name]).error?.issues ?? []) {
        addIssue({ ...issue, path: [name, ...issue.path] });
      }
    }
  })
  .meta({ ...z.toJSONSchema(fieldsGiven, { io: 'input' }) });

const schemaVersion = z.string().regex(/^(?:0|[1-9]\d{0,3})\.(?:0|[1-9]\d{0,3})$/);

export const entitySchema = z.strictObject({
  entity_type: z.string().regex(typePattern),
  /** `1.0`, `1.1`, …; a version once registered is never changed. */
  version: schemaVersion,
  fields: schemaFields,
});
export type EntitySchema = z.infer<typeof entitySchema>;

/** Names come from outside: `constructor` is a field only where a schema says so. */
export const fieldOf = (schema: EntitySchema, name: string): SchemaField | undefined =>
  Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined;

export const isDateField = ({ type }: SchemaField): boolean => type === 'date';

export const dateFieldsOf = (schema: EntitySchema): readonly string[] =>
  Object.keys(schema.fields).filter((name) => isDateField(schema.fields[name]!));
