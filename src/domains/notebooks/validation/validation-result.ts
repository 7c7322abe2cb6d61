import { z } from 'zod';

const openMap = z.record(z.string(), z.unknown());

/** RULINGS R5; `line` and `column` count from 1. */
export const validationResult = z.object({
  cell_index: z.int(),
  cell_id: z.string(),
  language: z.string(),
  valid: z.boolean(),
  errors: z.array(
    z.object({
      message: z.string(),
      code: z.string().optional(),
      line: z.int().optional(),
      column: z.int().optional(),
      details: openMap.optional(),
    }),
  ),
  warnings: z.array(z.object({ message: z.string(), code: z.string().optional() })),
  details: z
    .object({
      schema_applied: z.string().optional(),
      schema_ref: z.string().optional(),
      reason: z.string().optional(),
    })
    .optional(),
});
