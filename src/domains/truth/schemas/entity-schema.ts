import { z } from 'zod';
import { isObject } from '#kernel/json/is-object.ts';
import { truthLimits } from '../truth-limits.ts';
import { fieldPattern, typePattern } from '../truth-vocabulary.ts';

export const fieldTypes = ['string', 'number', 'boolean', 'date', 'array', 'object', 'any'] as const;
export const strategies = ['last_write', 'highest_priority', 'most_specific', 'merge_array'] as const;
const tieBreakers = ['observed_at', 'source_priority', 'specificity_score'] as const;

export type FieldType = (typeof fieldTypes)[number];
export type Strategy = (typeof strategies)[number];
export type TieBreaker = (typeof tieBreakers)[number];

const schemaField = z.strictObject({
  type: z.enum(fieldTypes),
  strategy: z.enum(strategies).optional(),
  tie_breaker: z.enum(tieBreakers).optional(),
  /** Entities can be found by its value. */
  identifier: z.boolean().optional(),
  description: z.string().max(truthLimits.descriptionChars).optional(),
});
export type SchemaField = z.infer<typeof schemaField>;

export type SchemaFields = Readonly<Record<string, SchemaField>>;

const fieldsGiven = z.record(z.string().regex(fieldPattern), schemaField);

/** Passes the object itself on: a copy by the parser would silently drop a field called `__proto__`. */
const schemaFields = z
  .custom<SchemaFields>(isObject, { error: 'must be object' })
  .superRefine((fields, { addIssue }) => {
    const names = Object.keys(fields);
    if (names.length > truthLimits.fieldsCount) {
      addIssue({ code: 'custom', message: `has more than ${truthLimits.fieldsCount} fields` });
      return;
    }
    for (const name of names) {
      if (!fieldPattern.test(name)) {
        addIssue({ code: 'custom', message: 'is not a valid field name', path: [name.slice(0, 128)] });
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
  /** `1.0`, `1.1`, …; a registered version never changes. */
  version: schemaVersion,
  fields: schemaFields,
  /** Other fields are accepted too: any JSON, the last write wins. Default: as the active version. */
  open: z.boolean().optional(),
});
export type EntitySchema = z.infer<typeof entitySchema>;

const openField: SchemaField = { type: 'any' };

/** [TR110] Fields that every type has: texts that were remembered about an entity; a new one does not replace the others. */
export const commonFields: SchemaFields = { remembered: { type: 'array', strategy: 'merge_array' } };

/** Names are untrusted: `constructor` is a field only if the schema defines it. */
export function fieldOf(schema: EntitySchema, name: string): SchemaField | undefined {
  if (Object.hasOwn(schema.fields, name)) return schema.fields[name];
  if (Object.hasOwn(commonFields, name)) return commonFields[name];
  return schema.open === true ? openField : undefined;
}

export const isDateField = ({ type }: SchemaField): boolean => type === 'date';

export const dateFieldsOf = (schema: EntitySchema): readonly string[] =>
  Object.keys(schema.fields).filter((name) => isDateField(schema.fields[name]!));

const shown = {
  entity_type: z.string(),
  version: z.string(),
  is_active: z.boolean(),
  is_builtin: z.boolean().describe('Built into the program, the same for all tenants'),
  created_at: z.string().nullable(),
  activated_at: z.string().nullable(),
  open: z.boolean().optional(),
};

export const registeredSchema = z.object({ ...shown, fields: schemaFields });
export type RegisteredSchema = z.infer<typeof registeredSchema>;

export const listedSchema = z.object({ ...shown, fields: schemaFields.optional() });
export type ListedSchema = z.infer<typeof listedSchema>;

/** 1.9 comes before 1.10. */
export function compareVersions(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}

/** Fields that `after` removes or gives another type: existing values would be lost or misread. */
export const findLostFields = (before: EntitySchema, after: EntitySchema): readonly string[] =>
  Object.entries(before.fields)
    .filter(([name, { type }]) => !Object.hasOwn(after.fields, name) || after.fields[name]!.type !== type)
    .map(([name]) => name)
    .sort();
