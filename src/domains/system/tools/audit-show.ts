import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';
import { auditRow } from './audit-list.ts';

const change = z.object({
  fields: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  diff: z.string().optional().describe('Changed lines of a text with - and +, and the lines around them'),
  version: z.int().optional().describe('Of an instruction: the version that the change made'),
});
export type ShownChange = DeepReadonly<z.infer<typeof change>>;

export const auditShow = defineTool({
  name: 'audit/show',
  title: 'One change of the audit trail',
  summary: 'Shows one row of the audit trail with what the change replaced, where earlier states are kept.',
  guide: { when: ['you want to see what a change of the trail did'], example: { seq: 1 } },
  effect: 'read',
  scope: 'admin',
  stable: false,
  input: z.strictObject({ seq: z.int().min(1).describe('From audit/list') }),
  output: z.object({
    row: auditRow,
    change: change.optional(),
    notKept: z.string().optional().describe('Why no earlier state is shown'),
  }),
  faults: ['NOT_FOUND'],
  run: (system: System, { seq }, call) => system.audit.show(seq, call),
});
