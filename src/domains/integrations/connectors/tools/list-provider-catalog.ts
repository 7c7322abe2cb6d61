import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';

export const listProviderCatalog = defineTool({
  name: 'list_provider_catalog',
  title: 'Providers',
  summary: 'Lists the services that can be connected, and those that cannot be yet.',
  guide: { when: ['you want to know whether a service can be connected, and how'], example: {} },
  effect: 'read',
  reusesAnswers: true,
  input: z.strictObject({}),
  output: z.object({
    providers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        capabilities: z.array(z.string()),
        auth_type: z.enum(['oauth', 'api_key', 'credentials']),
        oauth_scopes: z.array(z.string()).optional(),
        popularity_score: z.int().min(0).max(100),
        status: z.enum(['available', 'beta', 'coming_soon']),
      }),
    ),
  }),
  faults: [],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ catalog }: Pick<Integrations, 'catalog'>) => catalog,
});
