import type { Fault } from '#kernel/fault/fault.ts';
import { plaidFaults } from './plaid-faults.ts';

/** Plaid refused a request, or did not answer it. Holds no text of Plaid, which may repeat tokens. */
export class PlaidProblem extends Error {
  override readonly name = 'PlaidProblem';
  /** Plaid's own, such as ITEM_LOGIN_REQUIRED; undefined if it did not answer in its form. */
  readonly type: string | undefined;
  readonly code: string | undefined;
  readonly isWorthRetrying: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    more: { type?: string; code?: string; isWorthRetrying?: boolean; retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.type = more.type;
    this.code = more.code;
    this.isWorthRetrying = more.isWorthRetrying ?? false;
    this.retryAfterMs = more.retryAfterMs;
  }
}

const relink = 'call plaid_create_link_token with its plaid_item_id, open the token in Plaid Link, then sync again';
const reconnect = 'connect the bank again with plaid_create_link_token';

/** Our words for the codes that a person can do something about. */
const meanings: Readonly<Record<string, string>> = {
  INVALID_API_KEYS: 'it rejects the client id or the secret; check plaidClientId, plaidSecret and plaidEnvironment',
  UNAUTHORIZED_ENVIRONMENT: 'the account may not use this environment; check plaidEnvironment',
  INVALID_PUBLIC_TOKEN: 'the public token is invalid, expired or already exchanged',
  INVALID_ACCESS_TOKEN: `the access token is invalid or belongs to another environment; ${reconnect}`,
  INVALID_PRODUCT: 'the account may not use one of the products',
  ITEM_LOGIN_REQUIRED: `the bank asks for a new login; ${relink}`,
  PENDING_EXPIRATION: `the access to the bank expires; ${relink}`,
  PENDING_DISCONNECT: `the access to the bank ends soon; ${relink}`,
  ITEM_LOCKED: `the bank has locked the account; unlock it there, then ${relink}`,
  ITEM_NOT_FOUND: `the bank is no longer connected; ${reconnect}`,
  USER_PERMISSION_REVOKED: `the access to the bank was revoked; ${reconnect}`,
  USER_ACCOUNT_REVOKED: `the access to the account was revoked; ${reconnect}`,
  PRODUCT_NOT_READY: 'the transactions are not ready yet; sync again in a few minutes',
  INSTITUTION_DOWN: 'the bank is down',
  INSTITUTION_NOT_RESPONDING: 'the bank does not respond',
  RATE_LIMIT: 'too many requests',
  TRANSACTIONS_SYNC_LIMIT: 'too many requests for this bank',
};

export const explain = (code: string): string => meanings[code] ?? 'it rejected the request';

const invalidTokens: ReadonlySet<string | undefined> = new Set(['INVALID_PUBLIC_TOKEN', 'INVALID_ACCESS_TOKEN']);

export function toPlaidFault(problem: PlaidProblem, isTokenGiven = false): Fault {
  const { code, message, retryAfterMs } = problem;
  const details = {
    ...(code !== undefined && { plaid_error_code: code }),
    ...(retryAfterMs !== undefined && { retry_after_seconds: Math.ceil(retryAfterMs / 1_000) }),
  };
  return isTokenGiven && invalidTokens.has(code)
    ? plaidFaults.PLAID_INVALID_TOKEN({ why: `Plaid: ${message}` }, details)
    : plaidFaults.PLAID_API_ERROR({ why: message }, details);
}

export type ItemStatus = 'active' | 'error' | 'revoked';

const revoking: ReadonlySet<string | undefined> = new Set([
  'ITEM_NOT_FOUND',
  'INVALID_ACCESS_TOKEN',
  'USER_PERMISSION_REVOKED',
  'USER_ACCOUNT_REVOKED',
]);

/** Undefined for failures that say nothing about the connection, such as a busy server. */
export function toItemStatus({ type, code }: PlaidProblem): ItemStatus | undefined {
  if (revoking.has(code)) return 'revoked';
  return type === 'ITEM_ERROR' && code !== 'PRODUCT_NOT_READY' ? 'error' : undefined;
}
