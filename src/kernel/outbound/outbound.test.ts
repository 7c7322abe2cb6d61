import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { Fault } from '../fault/fault.ts';
import { createOutbound, outboundLimits } from './outbound.ts';

const loopback = ['127.0.0.1'];

describe('outbound requests', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    await Promise.all(
      servers.splice(0).map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  });

  /** A loopback server; returns its port and the requests it got. */
  async function serve(answer: RequestListener) {
    const seen: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const { method = '', url = '', headers } = request;
        seen.push({ method, url, headers, body: String(body) });
        answer(request, response);
      });
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { port, seen, url: `http://127.0.0.1:${port}` };
  }
  const hello: RequestListener = (_request, response) => response.end('hello');
  const faultOf = async (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'answered',
      (error: unknown) => (error instanceof Fault ? `${error.code}: ${error.message}` : String(error)),
    );

  it('reach an allowed host', async () => {
    const { url, seen } = await serve((_request, response) => response.writeHead(201, { 'x-made': 'yes' }).end('made'));
    const outbound = createOutbound({ allow: loopback });
    const answer = await outbound.request(`${url}/a?b=1`, { method: 'POST', headers: { 'x-key': 'k' }, body: 'text' });
    expect([answer.status, String(answer.body), answer.headers['x-made'], answer.url]).toEqual([
      201,
      'made',
      'yes',
      `${url}/a?b=1`,
    ]);
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/a?b=1', body: 'text', headers: { 'x-key': 'k' } });
  });

  it('go through the proxy, except to the hosts that it excludes', async () => {
    const { url, seen, port } = await serve(hello);
    const proxy = await serve((_request, response) => response.end('from the proxy'));
    const settings = { http: proxy.url, except: ['example.org', '127.0.0.1:1'] };
    const resolveHost = async (host: string) => {
      if (host === 'inside.test') return ['10.0.0.1'];
      throw new Error('unknown here');
    };
    const outbound = createOutbound({ allow: loopback, proxy: settings, resolveHost });
    // Only the proxy knows this name.
    expect(String((await outbound.request('http://outside.test/a')).body)).toBe('from the proxy');
    expect(proxy.seen[0]!.url).toBe('http://outside.test/a');
    expect(await faultOf(outbound.request('http://inside.test/'))).toContain('OUTBOUND_REFUSED');
    expect(await faultOf(outbound.request('http://www.example.org/'))).toContain('OUTBOUND_FAILED');
    expect(proxy.seen).toHaveLength(1);
    const direct = createOutbound({ allow: loopback, proxy: { ...settings, except: [`127.0.0.1:${port}`] } });
    expect(String((await direct.request(url)).body)).toBe('hello');
    expect(seen).toHaveLength(1);
  });

  it('ask the proxy for a tunnel to an https host', async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    servers.push(proxy);
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const settings = { https: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const outbound = createOutbound({ proxy: settings, resolveHost: async () => [] });
    expect(await faultOf(outbound.request('https://outside.test/'))).toContain('OUTBOUND_FAILED');
    expect(asked).toEqual(['outside.test:443']);
  });

  it('are rejected for the same host without the allow list', async () => {
    const { port, seen } = await serve(hello);
    const outbound = createOutbound();
    const hosts = [
      '127.0.0.1',
      'localhost',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '017700000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0',
      '[::]',
    ];
    for (const host of hosts) {
      expect(await faultOf(outbound.request(`http://${host}:${port}/`)), host).toMatch(
        /^OUTBOUND_REFUSED: .* is not a public host$/,
      );
    }
    expect(seen).toEqual([]);
  });

  it('connect to the checked address under the requested name, resolved once', async () => {
    const { port, seen } = await serve(hello);
    let resolved = 0;
    // A name that resolves to a public address first and to loopback afterwards.
    const resolveHost = async () => {
      resolved += 1;
      return resolved === 1 ? ['192.0.2.1', '127.0.0.1'] : ['10.0.0.1'];
    };
    const outbound = createOutbound({ allow: loopback, resolveHost });
    expect(String((await outbound.request(`http://files.example:${port}/`)).body)).toBe('hello');
    expect(resolved).toBe(1);
    expect(seen[0]?.headers['host']).toBe(`files.example:${port}`);
    expect(await faultOf(outbound.request(`http://files.example:${port}/`))).toMatch(/^OUTBOUND_REFUSED/);
  });

  it('of other protocols get only checked addresses', async () => {
    const resolveHost = async (host: string) => {
      if (host === 'unknown.example') throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
      return host === 'mixed.example' ? ['10.0.0.1', '192.0.2.7', '127.0.0.1'] : ['10.0.0.1'];
    };
    const { findHost } = createOutbound({ allow: ['192.0.2.7', '127.0.0.1'], resolveHost });
    const mixed = await findHost('mixed.example');
    const found = await new Promise((resolve) =>
      mixed.lookup('mixed.example', { all: true }, (_error, addresses) => resolve(addresses)),
    );
    expect(found).toEqual([
      { address: '192.0.2.7', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);
    expect(mixed.isLoopback).toBe(false);
    expect((await findHost('127.0.0.1')).isLoopback).toBe(true);
    expect(await faultOf(findHost('inside.example'))).toMatch(
      /^OUTBOUND_REFUSED: .* inside\.example is not a public host$/,
    );
    expect(await faultOf(findHost('169.254.169.254'))).toMatch(/^OUTBOUND_REFUSED/);
    expect(await faultOf(findHost('unknown.example'))).toMatch(/^OUTBOUND_FAILED: unknown\.example .* ENOTFOUND$/);
  });

  it('reach any address of a host that is allowed by name', async () => {
    const { port } = await serve(hello);
    const outbound = createOutbound({ allow: ['Intranet.example'], resolveHost: async () => ['127.0.0.1'] });
    expect(String((await outbound.request(`http://INTRANET.example:${port}/`)).body)).toBe('hello');
    expect(await faultOf(outbound.request(`http://other.example:${port}/`))).toMatch(/^OUTBOUND_REFUSED/);
  });

  it("use TLS for https hosts with the host's name, and trust no unknown certificate", async () => {
    const hellos: Buffer[] = [];
    const server = createSocketServer((socket: Socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        hellos.push(data);
        socket.end('no certificate');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const outbound = createOutbound({ allow: loopback, resolveHost: async () => loopback });
    expect(await faultOf(outbound.request(`https://bank.example:${port}/`))).toMatch(/^OUTBOUND_FAILED: bank\.example/);
    expect([hellos[0]?.[0], hellos[0]?.includes('bank.example')]).toEqual([22, true]);
    server.close();
  });

  it.each([
    ['ftp://example.org/', 'only http and https'],
    ['file:///etc/passwd', 'only http and https'],
    ['data:text/plain,x', 'only http and https'],
    ['gopher://example.org/', 'only http and https'],
    ['http://user:word@example.org/', 'must not contain a user name or password'],
    ['http://', 'not a valid URL'],
    ['example.org', 'not a valid URL'],
    [`http://example.org/${'x'.repeat(outboundLimits.outboundUrlChars)}`, 'not a valid URL'],
  ])('to %s are rejected', async (url, why) => {
    const outbound = createOutbound({ resolveHost: async () => Promise.reject(new Error('not expected')) });
    expect(await faultOf(outbound.request(url))).toContain(`OUTBOUND_REFUSED: The request was not sent: `);
    expect(await faultOf(outbound.request(url))).toContain(why);
  });

  it('follow redirects, each checked like the first', async () => {
    const { url, port } = await serve((request, response) => {
      const to: Record<string, string> = {
        '/relative': '/end',
        '/inside': `http://127.0.0.2:${port}/end`,
        '/name': 'http://internal.example/end',
        '/scheme': 'file:///etc/passwd',
        '/broken': 'http://[',
      };
      const location = to[request.url ?? ''];
      if (location === undefined) response.end('end');
      else response.writeHead(302, { location }).end();
    });
    const outbound = createOutbound({ allow: loopback, resolveHost: async () => ['169.254.169.254'] });
    const answer = await outbound.request(`${url}/relative`);
    expect([answer.url, String(answer.body)]).toEqual([`${url}/end`, 'end']);
    for (const path of ['/inside', '/name', '/scheme', '/broken']) {
      expect(await faultOf(outbound.request(url + path)), path).toMatch(/^OUTBOUND_REFUSED/);
    }
  });

  it('follow at most five redirects', async () => {
    const { url, seen } = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('end');
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    });
    const outbound = createOutbound({ allow: loopback });
    expect((await outbound.request(`${url}/5`)).status).toBe(200);
    seen.length = 0;
    expect(await faultOf(outbound.request(`${url}/6`))).toMatch(/more than 5 redirects$/);
    expect(seen).toHaveLength(6);
  });

  it('send neither credentials to another host nor a body with a GET after a redirect', async () => {
    const target = await serve(hello);
    const { url } = await serve((request, response) => {
      const [status, location] = (request.url ?? '').slice(1).split(',');
      response.writeHead(Number(status), { location }).end();
    });
    const outbound = createOutbound({ allow: loopback });
    const headers = {
      Authorization: 'Bearer s',
      Cookie: 'c',
      'X-Api-Key': 's',
      Accept: 'text/plain',
      'Content-Type': 'text/x',
    };
    const ask = async (status: number) => {
      await outbound.request(`${url}/${status},${target.url}/`, { method: 'POST', headers, body: 'text' });
      const { method, body, headers: got } = target.seen.at(-1)!;
      return [method, body, got['accept'], got['content-type'], got['authorization'], got['cookie'], got['x-api-key']];
    };
    expect(await ask(303)).toEqual(['GET', '', 'text/plain', undefined, undefined, undefined, undefined]);
    expect(await ask(302)).toEqual(['GET', '', 'text/plain', undefined, undefined, undefined, undefined]);
    expect(await ask(308)).toEqual(['POST', 'text', 'text/plain', 'text/x', undefined, undefined, undefined]);
    const home = await serve((request, response) =>
      request.url === '/' ? response.end() : response.writeHead(302, { location: '/' }).end(),
    );
    await outbound.request(`${home.url}/away`, { headers });
    expect(home.seen.at(-1)?.headers['authorization']).toBe('Bearer s');
  });

  it('accept an answer of the maximum size and stop at one byte more, even if it never ends', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/endless') {
        const more = () => {
          while (response.write('x'.repeat(1_000)));
        };
        response.on('drain', more);
        more();
      } else response.end('x'.repeat(Number(request.url?.slice(1))));
    });
    const outbound = createOutbound({ allow: loopback });
    expect((await outbound.request(`${url}/100`, {}, { bytesMax: 100 })).body).toHaveLength(100);
    expect(await faultOf(outbound.request(`${url}/101`, {}, { bytesMax: 100 }))).toMatch(/^RESOURCE_LIMIT/);
    expect(await faultOf(outbound.request(`${url}/endless`, {}, { bytesMax: 100_000 }))).toMatch(/^RESOURCE_LIMIT/);
  });

  it('time out: before an answer, in the middle of one, while a name is resolved', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/half') response.write('half');
    });
    const outbound = createOutbound({ allow: loopback, resolveHost: () => new Promise(() => {}) });
    for (const address of [`${url}/never`, `${url}/half`, 'http://slow.example/']) {
      expect(await faultOf(outbound.request(address, {}, { timeoutMs: 50 })), address).toMatch(
        /^OUTBOUND_TIMEOUT: .* took longer than 50 ms$/,
      );
    }
  });

  it('end when their caller aborts', async () => {
    const { url } = await serve(() => {});
    const outbound = createOutbound({ allow: loopback });
    const caller = new AbortController();
    const running = faultOf(outbound.request(url, {}, { signal: caller.signal }));
    caller.abort(new Error('gone'));
    expect(await running).toBe('Error: gone');
    expect(await faultOf(outbound.request(url, {}, { signal: caller.signal }))).toBe('Error: gone');
  });

  it('report why they failed without repeating the URL', async () => {
    const { url, port } = await serve((request) => request.socket.destroy());
    const outbound = createOutbound({
      allow: loopback,
      resolveHost: async (host) =>
        host === 'empty.example' ? [] : Promise.reject(Object.assign(new Error(host), { code: 'ENOTFOUND' })),
    });
    expect(await faultOf(outbound.request(`${url}/?token=secret`))).toBe(
      `OUTBOUND_FAILED: 127.0.0.1:${port} did not answer: ECONNRESET`,
    );
    expect(await faultOf(outbound.request('http://no.example/?token=secret'))).toBe(
      'OUTBOUND_FAILED: no.example did not answer: ENOTFOUND',
    );
    expect(await faultOf(outbound.request('http://empty.example/'))).toBe(
      'OUTBOUND_FAILED: empty.example did not answer: it has no address',
    );
  });
});
