import { z } from 'zod';
import { accessLimits } from '#kernel/access/access-limits.ts';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const otherTenant = z
  .string()
  .min(1)
  .max(accessLimits.tenantChars)
  .optional()
  .describe("Default: the caller's; another one only for the operator");

const purpose = z.enum(['key', 'link', 'browser']).describe('link and browser: of a sign-in to the dashboard');

export const shownKey = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(['read', 'write', 'admin'])),
  purpose,
  parent: z.string().optional().describe('The key that signed this browser in'),
  state: z.enum(['active', 'revoked', 'expired']),
  isCaller: z.boolean().describe('The key of this request'),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  revokedAt: z.string().optional(),
  lastUsedAt: z.string().optional().describe('To the minute'),
});

const input = z.strictObject({
  tenant: otherTenant,
  purpose: purpose.optional(),
  limit: z.int().min(1).max(accessLimits.keysPerTenantCount).default(50),
  cursor: z.string().min(1).max(cursorLimits.cursorChars).optional(),
});
export type KeysListInput = z.output<typeof input>;

export const keysList = defineTool({
  name: 'keys/list',
  title: 'List API keys',
  summary: 'Lists the API keys of a tenant with scopes, expiry and last use; never their text.',
  guide: { when: ['you want to know which clients have access'], example: { limit: 20 } },
  effect: 'read',
  scope: 'admin',
  stable: false,
  answer: 'page',
  expose: ['mcp', 'http'],
  input,
  output: z.object({ tenant: z.string(), keys: z.array(shownKey), nextCursor: z.string().optional() }),
  faults: ['PERMISSION_DENIED', 'INVALID_PARAMS'],
  run: (system: System, given, call) => system.keys.list(given, call),
});
