import { type Caller, localTenant } from '#kernel/call.ts';

/** Whoever starts the process on this machine owns its data folder. */
export const owner: Caller = { tenant: localTenant, actor: 'local', scopes: new Set(['admin'] as const) };
