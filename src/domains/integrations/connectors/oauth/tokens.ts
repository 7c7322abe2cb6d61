import { z } from 'zod';
import { integrationFaults } from '../../integration-faults.ts';
import type { ServiceClient, ServiceRequest } from '../service-client.ts';

/** The secret of a connector with OAuth, as JSON. */
const tokensForm = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  /** In milliseconds. */
  expires_at: z.number().optional(),
  /** When a renewal was tried last. */
  renewed_at: z.number().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});
export type Tokens = z.infer<typeof tokensForm>;

/** A secret file may hold the bare token. */
export function readTokens(secret: string): Tokens {
  if (!secret.startsWith('{')) return { access_token: secret };
  let parsed: unknown;
  try {
    parsed = JSON.parse(secret);
  } catch {
    parsed = undefined;
  }
  const tokens = tokensForm.safeParse(parsed);
  if (tokens.success) return tokens.data;
  throw integrationFaults.LOGIN_FAILED({ why: 'the secret is neither a token nor JSON with access_token' });
}

const answerForm = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive().optional(),
});
const errorForm = z.object({ error: z.string().regex(/^[\w.-]{1,64}$/) });

/** Asks a token endpoint. A rejected code or token is a failed login, and its reason is only the documented code. */
export async function requestTokens(client: ServiceClient, url: string, request: ServiceRequest, now: number) {
  const rejected = [400, 401, 403];
  const { status, body } = await client.request(url, { ...request, accepted: rejected });
  const { host } = new URL(url);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    parsed = undefined;
  }
  if (rejected.includes(status)) {
    const reason = errorForm.safeParse(parsed).data?.error ?? `HTTP ${status}`;
    throw integrationFaults.LOGIN_FAILED({ why: `${host} rejects the code or token (${reason})` });
  }
  const answer = answerForm.safeParse(parsed);
  if (!answer.success) throw integrationFaults.LOGIN_FAILED({ why: `${host} answered without a token` });
  const { expires_in, ...tokens } = answer.data;
  return { ...tokens, ...(expires_in !== undefined && { expires_at: now + expires_in * 1_000 }) };
}

export const formRequest = (form: Readonly<Record<string, string>>, signal: AbortSignal): ServiceRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: new URLSearchParams(form).toString(),
  redirectsMax: 0,
  signal,
});
