import { z } from 'zod';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Context } from '../../context.ts';
import { contextLimits } from '../../context-limits.ts';

const inputSchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(contextLimits.forgottenIdChars)
    .describe('From remember, or note:<scratch_id>[/<cell_id>], rule:<id>, fact:<submission_id> …'),
  permanently: z.boolean().optional().describe('Without restore'),
  reason: z.string().min(1).max(contextLimits.reasonChars).optional(),
});
export type ForgetInput = z.infer<typeof inputSchema>;

const outputSchema = z.object({
  id: z.string(),
  forgotten: z.boolean().describe('False if it was not there, or if a person has to approve it'),
  how: z.string(),
  restore: restoreCall.optional(),
});
export type ForgetAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const forgetTool = defineTool({
  name: 'forget',
  title: 'Forget something',
  summary: 'Takes back one item of any memory. It can be restored for 30 days.',
  guide: {
    when: [
      'something is wrong or no longer needed, or the user says "undo that"',
      'with permanently: a password or key was kept by accident, as a note, fact or record',
    ],
    example: { id: 'note:inbox-2026-11/m-1a2b' },
  },
  effect: 'delete',
  listed: true,
  input: inputSchema,
  output: outputSchema,
  faults: ['VALIDATION_ERROR', 'NOT_FOUND', 'PERMISSION_DENIED'],
  run: (context: Context, input, call) => context.forget(input, call),
});
