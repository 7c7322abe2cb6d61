import { z } from 'zod';
import { accessLimits } from '#kernel/access/access-limits.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';
import { otherTenant, shownKey } from './keys-list.ts';

const input = z.strictObject({
  name: z.string().min(1).max(accessLimits.keyNameChars).describe('Who or what uses it'),
  scopes: z
    .array(z.enum(['read', 'write', 'admin']))
    .min(1)
    .max(3),
  expiresDays: z.int().min(1).max(3_650).optional().describe('Default: it does not expire'),
  tenant: otherTenant,
});
export type KeysCreateInput = z.output<typeof input>;

export const keysCreate = defineTool({
  name: 'keys/create',
  title: 'Create an API key',
  summary: 'Creates an API key and returns its text, which is shown only once.',
  guide: {
    when: ['a client or a colleague needs access'],
    example: { name: 'build server', scopes: ['read'], expiresDays: 90 },
  },
  effect: 'create',
  scope: 'admin',
  expose: ['mcp', 'http'],
  input,
  output: z.object({ key: z.string().describe('The text; it is not stored'), tenant: z.string(), ...shownKey.shape }),
  faults: ['PERMISSION_DENIED', 'VALIDATION_ERROR', 'RESOURCE_LIMIT', 'INVALID_PARAMS'],
  run: (system: System, given, call) => system.keys.create(given, call),
});
