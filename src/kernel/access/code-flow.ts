import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../clock/clock.ts';
import type { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { isObject } from '../json/is-object.ts';
import type { Log } from '../log/log.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { accessFaults } from './access-faults.ts';
import { accessLimits } from './access-limits.ts';
import type { OAuthSettings } from './jwt.ts';
import { scopeNames } from './resource-metadata.ts';

/** The registration of this server as a client of the authorization server. */
export interface OAuthClient {
  readonly clientId: string;
  /** A public client has none. */
  readonly clientSecret?: string | undefined;
}

export interface BegunSignIn {
  /** Where the browser goes. */
  readonly url: string;
  /** To be kept in the browser until it comes back. */
  readonly state: string;
  readonly verifier: string;
}

interface FinishSignIn {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** Signs a person in at the authorization server: authorization code with PKCE, as OAuth 2.1 demands. */
export interface CodeFlow {
  /** The name that people know the authorization server by. */
  readonly host: string;
  readonly issuer: string;
  begin(redirectUri: string): Promise<BegunSignIn>;
  /** Exchanges the code for an access token. */
  finish(answer: FinishSignIn): Promise<string>;
}

export interface CodeFlowDeps {
  readonly oauth: OAuthSettings;
  readonly client: OAuthClient;
  readonly clock: Clock;
  readonly log: Log;
  openOutbound(): Promise<Outbound>;
}

interface ServerMetadata {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
}

/** RFC 8414, section 3.1: the well-known path goes before the path of the issuer. OpenID Connect appends it. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

const isHttp = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '');

function toMetadata(document: unknown, issuer: string): ServerMetadata | undefined {
  if (!isObject(document) || document['issuer'] !== issuer) return undefined;
  const { authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl } = document;
  return isHttp(authorizeUrl) && isHttp(tokenUrl) ? { authorizeUrl, tokenUrl } : undefined;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

const makeSecret = (): string => randomBytes(32).toString('base64url');
/** RFC 6749, section 2.3.1. */
const toBasic = (id: string, secret: string): string =>
  `Basic ${Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64')}`;

export function createCodeFlow({ oauth, client, clock, log, openOutbound }: CodeFlowDeps): CodeFlow {
  const { issuer } = oauth;
  const bounds = { timeoutMs: accessLimits.jwksTimeoutMs, bytesMax: accessLimits.oauthAnswerBytes };
  let known: { readonly metadata: ServerMetadata; readonly until: number } | undefined;

  function unavailable(reason: string, cause?: unknown): Fault {
    log.warn({ reason, ...(cause !== undefined && { err: cause }) }, 'signing in by OAuth failed');
    return accessFaults.SIGN_IN_UNAVAILABLE();
  }

  async function findMetadata(): Promise<ServerMetadata> {
    if (known !== undefined && clock.now() < known.until) return known.metadata;
    const outbound = await openOutbound();
    let failure: unknown;
    for (const url of metadataUrls(issuer)) {
      try {
        const { status, body } = await outbound.request(url, {}, bounds);
        const metadata = status === 200 ? toMetadata(parseJson(body), issuer) : undefined;
        if (metadata !== undefined) {
          known = { metadata, until: clock.now() + accessLimits.jwksMaxAgeMs };
          return metadata;
        }
      } catch (error) {
        failure = error;
      }
    }
    throw unavailable('the authorization server has no valid metadata', failure);
  }

  return {
    host: new URL(issuer).host,
    issuer,

    async begin(redirectUri) {
      const { authorizeUrl } = await findMetadata();
      const [state, verifier] = [makeSecret(), makeSecret()];
      const url = new URL(authorizeUrl);
      const parameters = {
        response_type: 'code',
        client_id: client.clientId,
        redirect_uri: redirectUri,
        scope: scopeNames(oauth).join(' '),
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        // RFC 8707: the token is for this server.
        resource: oauth.audience,
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, state, verifier };
    },

    async finish({ code, verifier, redirectUri }) {
      const { tokenUrl } = await findMetadata();
      const { clientId, clientSecret } = client;
      const form = {
        grant_type: 'authorization_code',
        ...{ code, redirect_uri: redirectUri, client_id: clientId, code_verifier: verifier, resource: oauth.audience },
      };
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(clientSecret !== undefined && { authorization: toBasic(clientId, clientSecret) }),
      };
      let answer: Awaited<ReturnType<Outbound['request']>>;
      try {
        const outbound = await openOutbound();
        const request = { method: 'POST', headers, body: new URLSearchParams(form).toString() };
        answer = await outbound.request(tokenUrl, request, { ...bounds, redirectsMax: 0 });
      } catch (error) {
        throw unavailable('the authorization server does not answer', error);
      }
      const body = parseJson(answer.body);
      const token = isObject(body) ? body['access_token'] : undefined;
      if (answer.status === 200 && typeof token === 'string') return token;
      if (answer.status >= 500) throw unavailable(`the authorization server answered ${answer.status}`);
      throw faults.UNAUTHORIZED({ why: 'the authorization server gave no token for the code' });
    },
  };
}
