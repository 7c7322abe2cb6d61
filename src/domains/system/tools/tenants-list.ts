import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

const input = z.strictObject({
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(cursorLimits.cursorChars).optional(),
});
export type TenantsListInput = z.output<typeof input>;

export const tenantsList = defineTool({
  name: 'tenants/list',
  title: 'List tenants',
  summary: 'Lists the tenants of this store with their last change; only for the operator.',
  guide: { when: ['you administer the server and look for a tenant'], example: { limit: 20 } },
  effect: 'read',
  scope: 'admin',
  stable: false,
  answer: 'page',
  input,
  output: z.object({
    tenants: z.array(z.object({ tenant: z.string(), changesCount: z.int(), lastChangeAt: z.string().optional() })),
    nextCursor: z.string().optional(),
  }),
  faults: ['PERMISSION_DENIED', 'INVALID_PARAMS'],
  run: (system: System, given, call) => system.operations.tenants(given, call),
});
