import { createAuthorization, readForm } from './oauth-double.fixture.ts';
import { check, checkParameters, checkRange, type SeenRequest, startService } from './service-double.fixture.ts';

export interface SampleMedia {
  readonly id: string;
  readonly [field: string]: unknown;
}

export const appId = '9756385287';
export const appSecret = 'app-S3cret';
const fieldNames = /^(?:id|caption|media_type|media_product_type|permalink|timestamp|username|,)+$/;

/** `GET /me/media` of the API with Instagram login, and its token endpoints. Newest first. */
export async function startInstagram(media: SampleMedia[]) {
  const authorization = createAuthorization(/^instagram_business_basic$/, appId);
  const tokens = { count: 0, short: 'none', long: 'IG-long-S3cret-0', isYoung: false };
  const rejected = (code: number) => ({
    status: 400,
    body: { error: { message: 'no', type: 'OAuthException', code } },
  });

  function makeLong() {
    tokens.count += 1;
    tokens.long = `IG-long-S3cret-${tokens.count}`;
    return { body: { access_token: tokens.long, token_type: 'bearer', expires_in: 5_183_944 } };
  }

  function answerToken(request: SeenRequest) {
    const form = readForm(request, [
      'client_id',
      'client_secret',
      'grant_type',
      'redirect_uri',
      'code',
      'code_verifier',
    ]);
    check(form.get('client_id') === appId && form.get('client_secret') === appSecret, 'client_id or client_secret');
    check(form.get('grant_type') === 'authorization_code', 'grant_type');
    if (!authorization.redeem(form))
      return { status: 400, body: { error_type: 'OAuthException', code: 400, error_message: 'Invalid code' } };
    tokens.short = 'IG-short-S3cret';
    return { body: { access_token: tokens.short, user_id: 17, permissions: ['instagram_business_basic'] } };
  }

  function answer(request: SeenRequest) {
    const { method, path, query } = request;
    if (path === '/oauth/authorize') return authorization.authorize(request);
    if (path === '/oauth/access_token') return answerToken(request);
    check(method === 'GET', 'method');
    const token = query.get('access_token');
    check(token !== null && token !== '', 'access_token');
    if (path === '/access_token') {
      checkParameters(query, { grant_type: /^ig_exchange_token$/, client_secret: /^app-S3cret$/, access_token: /./ });
      return token === tokens.short ? makeLong() : rejected(190);
    }
    if (path === '/refresh_access_token') {
      checkParameters(query, { grant_type: /^ig_refresh_token$/, access_token: /./ });
      return token === tokens.long && !tokens.isYoung ? makeLong() : rejected(190);
    }
    check(path === '/me/media', 'no such operation');
    checkParameters(query, { fields: fieldNames, limit: /^\d+$/, after: /^a\d+$/, access_token: /./ });
    const size = checkRange(query, 'limit', 1, 100);
    if (token !== tokens.long) return rejected(190);
    const from = Number(query.get('after')?.slice(1) ?? 0);
    const data = media.slice(from, from + size).map((one) => ({
      caption: `Picture ${one.id}`,
      media_type: 'IMAGE',
      media_product_type: 'FEED',
      permalink: `https://www.instagram.com/p/${one.id}/`,
      timestamp: '2026-01-02T10:00:00+0000',
      username: 'ada',
      ...one,
    }));
    const after = `a${from + size}`;
    const next = from + size < media.length ? { next: `https://elsewhere.example/me/media?access_token=${token}` } : {};
    return { body: data.length > 0 ? { data, paging: { cursors: { before: 'b', after }, ...next } } : { data } };
  }
  return { ...(await startService(answer)), tokens };
}
