import { z } from 'zod';
import { auditProblems } from '#kernel/audit/audit.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const auditReport = z.object({
  ok: z.boolean(),
  checked: z.int(),
  headSeq: z.int(),
  checkpointSeq: z.int(),
  rowsWithoutCheckpoint: z.int(),
  withoutCheckpointSince: z.string().optional(),
  issues: z.array(
    z.object({
      seq: z.int(),
      problem: z.enum(auditProblems),
    }),
  ),
});

export const auditVerify = defineTool({
  name: 'audit/verify',
  title: 'Verify the audit trail',
  summary: 'Recomputes the chain of the audit trail and compares it with the checkpoints outside the database.',
  guide: { when: ['you must prove that the audit trail was not edited or truncated'], example: {} },
  effect: 'read',
  scope: 'admin',
  stable: false,
  streams: true,
  deadlineMs: 600_000,
  input: z.strictObject({}),
  output: auditReport,
  faults: [],
  run: (system: System, _input, call) => system.audit.verify(call),
});
