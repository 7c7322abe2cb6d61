import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';
import { otherTenant, shownKey } from './keys-list.ts';

const input = z.strictObject({
  id: z.string().min(1).max(100).describe('From keys/list'),
  tenant: otherTenant,
});
export type KeysRevokeInput = z.output<typeof input>;

export const keysRevoke = defineTool({
  name: 'keys/revoke',
  title: 'Revoke an API key',
  summary: 'Revokes an API key immediately; this cannot be undone. Revoking it again changes nothing.',
  guide: { when: ['a key was lost or is no longer needed'], example: { id: '0123456789abcdef' } },
  effect: 'delete',
  scope: 'admin',
  expose: ['mcp', 'http'],
  input,
  output: z.object({ tenant: z.string(), ...shownKey.shape }),
  faults: ['PERMISSION_DENIED', 'NOT_FOUND'],
  run: (system: System, given, call) => system.keys.revoke(given, call),
});
