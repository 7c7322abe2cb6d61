import { z } from 'zod';
import { instructionEntry } from '../entry-model.ts';
import { inputSchema } from './input-schema.ts';

export interface AddOptions {
  readonly overwrite: boolean;
  readonly lax: boolean;
}

const typeOf = (field: string): Record<string, unknown> => {
  const properties = inputSchema()['properties'] as Record<string, { readonly type?: unknown }>;
  const type = properties[field]?.type;
  return type === undefined ? { type: 'object' } : { type };
};

/**
 * Structural failures are answered as results, with the schema (RULINGS R2), so the door lets every type of a field in;
 * what is listed says which type is meant.
 */
const flatFields = Object.fromEntries(
  Object.keys(instructionEntry.shape).map((field) => [field, z.unknown().optional().meta(typeOf(field))]),
);

export const addInput = z.strictObject({
  entry: z
    .unknown()
    .optional()
    .meta({ ...inputSchema(), description: 'The instruction' }),
  overwrite: z.boolean().optional().describe('Replace an entry that has this id'),
  lax: z.boolean().optional().describe('Fill missing fields with defaults'),
  ...flatFields,
});

export type AddInput = Readonly<Record<string, unknown>> & {
  readonly entry?: unknown;
  readonly overwrite?: boolean | undefined;
  readonly lax?: boolean | undefined;
};

/** The entry as it was sent: wrapped, or flat, because agents forget the wrapper. */
export function toRawEntry({ entry, overwrite = false, lax = false, ...flat }: AddInput) {
  const options: AddOptions = { overwrite, lax };
  const isFlat = entry === undefined && Object.keys(flat).length > 0;
  return { raw: isFlat ? flat : entry, isFlat, options };
}
