import { z } from 'zod';
import type { DeepReadonly } from '#kernel/tool/tool.ts';
import { integrationLimits } from '../integration-limits.ts';

const { longestLoginWaitMs, pageItemsCount, pagesCount } = integrationLimits;

const choice = {
  provider: z.string().min(1).max(64).describe('Provider id, such as rss'),
  connector_id: z.string().min(1).max(64).optional().describe('Needed if the provider has several connectors'),
};

const syncOptions = {
  ...choice,
  sync_type: z
    .enum(['initial', 'incremental'])
    .optional()
    .describe('initial reads everything again; default: what is new since the last sync'),
  limit: z.int().min(1).max(pageItemsCount).optional().describe('Maximum records per page'),
  max_pages: z.int().min(1).max(pagesCount).optional().describe('Maximum pages to fetch'),
};

export const cancelInput = z.strictObject(choice);
export const syncNowInput = z.strictObject(syncOptions);
export const syncInput = z.strictObject({
  ...syncOptions,
  sync_run_id: z.string().min(1).max(64).optional().describe('Answers the state of this run and starts none'),
  cancel: z.boolean().optional().describe('With sync_run_id: stops the run after its current page'),
});
export type SyncInput = z.infer<typeof syncInput>;

export const syncAnswer = z.object({
  sync_run_id: z.string(),
  provider: z.string(),
  connector_id: z.string(),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  stats: z.object({ records_added: z.int(), records_updated: z.int(), errors: z.int() }),
  pages: z.int(),
  started_at: z.string(),
  completed_at: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string(), fix: z.string().optional() }).optional(),
  problems: z
    .array(z.object({ id: z.string(), why: z.string() }))
    .optional()
    .describe('The first of them'),
});
export type SyncAnswer = DeepReadonly<z.infer<typeof syncAnswer>>;

/** Without options that may hold more than the address, and never with the secret. */
export const shownConnector = z.object({
  connector_id: z.string(),
  provider: z.string(),
  name: z.string(),
  address: z.string().optional(),
  created_at: z.string(),
  last_synced_at: z.string().optional(),
  syncing: z.boolean(),
  last_run: syncAnswer
    .omit({ provider: true, connector_id: true, problems: true })
    .optional()
    .describe('The newest run, which may still be open'),
});
export type ShownConnector = DeepReadonly<z.infer<typeof shownConnector>>;

const option = z.string().min(1).max(2_000).optional();
export const addInput = z.strictObject({
  provider: z.string().min(1).max(64).describe('From list_provider_catalog'),
  address: option.describe('URL, host, folder or repository: what to read'),
  user: option.describe('User or account name'),
  parts: z.array(z.string().min(1).max(200)).max(50).optional().describe('Mailboxes or kinds to read; default: all'),
  auth: z.enum(['password', 'token']).optional().describe('Of mail: what the secret is; default: password'),
  secretFile: z.string().min(1).optional().describe('File with the password or token; - reads it from stdin'),
  clientId: option.describe('Id of your app at the provider: logs in with the browser'),
  clientSecretFile: z.string().min(1).optional().describe('File with the secret of your app'),
  redirectPort: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('Of http://127.0.0.1:<port>/callback; default: a free one'),
  waitSeconds: z
    .int()
    .min(1)
    .max(longestLoginWaitMs / 1_000)
    .optional()
    .describe('How long to wait for the browser'),
  name: z.string().min(1).max(200).optional().describe('Your name for it'),
  tenant: z.string().min(1).max(64).optional().describe('On a shared server: whose connector it is; default: local'),
});
export type AddInput = z.infer<typeof addInput>;
