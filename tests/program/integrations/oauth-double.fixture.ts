import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { startProgram } from '#tests/support/program.ts';
import type { Connected } from './connected-program.fixture.ts';
import { check, type SeenRequest } from './service-double.fixture.ts';

/** The authorization endpoint of OAuth 2.1 with PKCE. The person allows every access. */
export function createAuthorization(scope: RegExp, clientId: string) {
  const granted = new Map<string, { readonly challenge: string; readonly redirectUri: string }>();
  return {
    authorize({ method, query }: SeenRequest) {
      check(method === 'GET', 'method');
      check(query.get('response_type') === 'code' && query.get('client_id') === clientId, 'response_type or client_id');
      check(query.get('code_challenge_method') === 'S256', 'code_challenge_method');
      check(/^[\w-]{43}$/.test(query.get('code_challenge') ?? ''), 'code_challenge');
      check((query.get('state') ?? '').length >= 22, 'state');
      check(scope.test(query.get('scope') ?? ''), 'scope');
      const redirectUri = query.get('redirect_uri') ?? '';
      check(/^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(redirectUri), 'redirect_uri');
      const code = `code-${granted.size + 1}-S3cret`;
      granted.set(code, { challenge: query.get('code_challenge')!, redirectUri });
      const back = new URLSearchParams({ state: query.get('state')!, code });
      return { status: 302, headers: { location: `${redirectUri}?${back.toString()}` } };
    },
    /** True if the code is known and unused, and the other values belong to it. */
    redeem(form: URLSearchParams): boolean {
      const code = form.get('code') ?? '';
      const grant = granted.get(code);
      granted.delete(code);
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      return grant !== undefined && grant.challenge === challenge && grant.redirectUri === form.get('redirect_uri');
    },
  };
}

export function readForm({ method, headers, body }: SeenRequest, allowed: readonly string[]): URLSearchParams {
  check(method === 'POST', 'method');
  check(headers['content-type'] === 'application/x-www-form-urlencoded', 'Content-Type');
  const form = new URLSearchParams(body);
  for (const name of form.keys()) check(allowed.includes(name), `unknown field ${name}`);
  return form;
}

/** Runs `connectors add` until it shows the URL for the browser. */
export async function startLogin(home: Connected, ...words: readonly string[]) {
  const child = startProgram(['connectors', 'add', ...words, '--json'], home.env);
  onTestFinished(() => void child.kill('SIGKILL'));
  const stdout = text(child.stdout);
  const exit = once(child, 'exit');
  let stderr = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      const found = /^https?:\/\/\S+$/m.exec(stderr)?.[0];
      if (found !== undefined && stderr.includes(`${found}\n`)) resolve(found);
    });
    child.once('exit', () => reject(new Error(stderr)));
  });
  return {
    url: new URL(url),
    /** The page that the browser ends at. */
    async visit(address: URL | string = url) {
      const response = await fetch(address);
      return { status: response.status, text: await response.text() };
    },
    async ended() {
      const [code] = (await exit) as [number];
      const printed = await stdout;
      home.note(printed + stderr);
      return { code, stdout: printed, stderr };
    },
  };
}

export async function expectLogin(login: Awaited<ReturnType<typeof startLogin>>): Promise<void> {
  expect(await login.visit()).toEqual({ status: 200, text: 'Connected. You can close this window.\n' });
  expect(await login.ended()).toMatchObject({ code: 0 });
}
