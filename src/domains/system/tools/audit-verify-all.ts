import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';
import { auditReport } from './audit-verify.ts';

export const auditVerifyAll = defineTool({
  name: 'audit_verify_all',
  title: 'Verify the audit trails of all tenants',
  summary: 'Verifies the audit trail of every tenant of this store. Ends with exit code 1 if one of them is broken.',
  guide: { when: ['you must prove that no audit trail in this store was edited or truncated'], example: {} },
  effect: 'read',
  scope: 'admin',
  stable: false,
  streams: true,
  deadlineMs: 24 * 3_600_000,
  expose: ['cli'],
  input: z.strictObject({}),
  output: z.object({ ok: z.boolean(), tenants: z.array(z.object({ tenant: z.string(), ...auditReport.shape })) }),
  faults: [],
  run: (system: System, _input, call) => system.audit.verifyAll(call),
});
