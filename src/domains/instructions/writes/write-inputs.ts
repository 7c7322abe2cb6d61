import { z } from 'zod';
import { instructionEntry, instructionId, instructionInput } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';

/** The fields that can change without changing the rule itself. */
const governancePatch = z.strictObject(
  instructionEntry
    .pick({
      owner: true,
      status: true,
      lastReviewedAt: true,
      nextReviewDue: true,
      reviewIntervalDays: true,
      classification: true,
      priority: true,
      requirement: true,
      supersedes: true,
      deprecatedBy: true,
      semanticSummary: true,
      title: true,
      appliesTo: true,
      categories: true,
      tags: true,
    })
    .partial().shape,
);

export type GovernancePatch = z.infer<typeof governancePatch>;

export const governanceUpdateInput = z.strictObject({
  id: z.string().min(1).max(120),
  patch: governancePatch.optional(),
  bump: z.enum(['patch', 'minor', 'major', 'none']).optional().describe('Raise the version'),
  owner: governancePatch.shape.owner,
  status: governancePatch.shape.status,
  lastReviewedAt: governancePatch.shape.lastReviewedAt,
  nextReviewDue: governancePatch.shape.nextReviewDue,
});

export type GovernanceUpdateInput = z.infer<typeof governanceUpdateInput>;

export type JsonSchema = { readonly [key: string]: unknown };

const entrySchema = instructionInput.extend({
  id: instructionId,
  body: z.string().min(1).max(instructionLimits.bodyChars),
});

let cachedSchema: JsonSchema | undefined;

/** The JSON Schema of an entry, created on first use. */
export function inputSchema(): JsonSchema {
  if (cachedSchema === undefined) {
    const { $schema: _schema, ...schema } = z.toJSONSchema(entrySchema, { io: 'input', unrepresentable: 'any' });
    cachedSchema = schema;
  }
  return cachedSchema;
}

export interface AddOptions {
  readonly overwrite: boolean;
  readonly replace: boolean;
  readonly lax: boolean;
  readonly base: string | undefined;
}

const typeOf = (field: string): Record<string, unknown> => {
  const properties = inputSchema()['properties'] as Record<string, { readonly type?: unknown }>;
  const type = properties[field]?.type;
  return type === undefined ? { type: 'object' } : { type };
};

/**
 * Accepts any type, because structural errors are answered as results with the schema; the metadata shows the real
 * type.
 */
const flatFields = Object.fromEntries(
  Object.keys(instructionEntry.shape).map((field) => [field, z.unknown().optional().meta(typeOf(field))]),
);

export const addInput = z.strictObject({
  entry: z
    .unknown()
    .optional()
    .meta({ ...inputSchema(), description: 'The instruction' }),
  overwrite: z.boolean().optional().describe('Change an existing entry; fields that are not given stay'),
  replace: z.boolean().optional().describe('Overwrite, and drop the fields that are not given'),
  lax: z.boolean().optional().describe('Fill missing fields with defaults'),
  base: z
    .string()
    .max(100)
    .optional()
    .describe('With overwrite: etag or sourceHash of the entry that was edited; CONFLICT if it has changed since'),
  ...flatFields,
});

export type AddInput = Readonly<Record<string, unknown>> & {
  readonly entry?: unknown;
  readonly overwrite?: boolean | undefined;
  readonly replace?: boolean | undefined;
  readonly lax?: boolean | undefined;
  readonly base?: string | undefined;
};

/** Accepts the entry wrapped in `entry` or flat, because agents forget the wrapper. */
export function toRawEntry({ entry, overwrite = false, replace = false, lax = false, base, ...flat }: AddInput) {
  const options: AddOptions = { overwrite: overwrite || replace, replace, lax, base };
  const isFlat = entry === undefined && Object.keys(flat).length > 0;
  return { raw: isFlat ? flat : entry, isFlat, options };
}
