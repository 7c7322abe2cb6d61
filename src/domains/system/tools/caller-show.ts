import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const callerShow = defineTool({
  name: 'caller/show',
  title: 'Who is calling',
  summary: "Shows the caller's tenant, name and scopes, and what this server offers.",
  guide: {
    when: ['a client decides what to offer to its user', 'a call was refused and you want to see your scopes'],
    example: {},
  },
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    tenant: z.string(),
    actor: z.string().describe('As in the audit trail'),
    name: z.string().describe('Name of the key, or the actor'),
    credential: z.enum(['key', 'token', 'oauth', 'local']),
    scopes: z.array(z.enum(['read', 'write', 'admin'])),
    isOperator: z.boolean().describe('May administer the whole server'),
    version: z.string(),
    server: z.object({
      /** Agents may change instructions. */
      mutation: z.boolean(),
      readOnly: z.boolean(),
      auth: z.boolean(),
      semanticSearch: z.boolean(),
      analytics: z.boolean(),
      features: z.array(z.string()),
    }),
  }),
  faults: [],
  run: (system: System, _input, call) => system.showCaller(call),
});
