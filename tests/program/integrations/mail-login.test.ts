import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '#tests/support/program.ts';
import { type Connected, openConnected, stats } from './connected-program.fixture.ts';
import { addWords, describeMail, mail, password, startMailServer, withReason } from './mail-program.fixture.ts';
import { startService } from './service-double.fixture.ts';

/** The error output of `connectors add`, which must store nothing. */
async function refuse(home: Connected, words: readonly string[]): Promise<string> {
  const { code, stderr } = await home.run('connectors', ...words);
  expect(code).not.toBe(0);
  expect(await home.call('connectors_list')).toEqual({ connectors: [] });
  return stderr;
}

describeMail(withReason('[IG82] connectors add imap'), () => {
  it('names what is wrong: the password, the mailbox, the port, the address, the host', async () => {
    const server = await startMailServer([mail()]);
    const home = await openConnected();
    const add = (address: string, secret = password, ...more: readonly string[]) =>
      refuse(home, addWords(home, address, secret, ...more));
    expect(await add(server.address, 'S3cret-wrong')).toMatch(/refuses the login: check the user and the password/);
    expect(await add(server.address, password, '--parts', 'Wrok')).toMatch(/no mailbox Wrok; it has INBOX/);
    expect(await add(`127.0.0.1:${server.port}`)).toMatch(/offers no TLS on this port; imap:\/\/ uses STARTTLS/);
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    expect(await add(`imap://127.0.0.1:${port}`)).toMatch(/refuses the connection: check the host and the port/);
    for (const address of ['http://127.0.0.1', 'imap://ada@127.0.0.1', 'imap://127.0.0.1/INBOX', 'imap://'])
      expect(await add(address), address).toContain('the address is a host, imaps://host:port');
    expect(await refuse(home, ['add', 'imap', server.address])).toContain('pass --user');
    expect(await refuse(home, ['add', 'imap', server.address, '--user', 'ada'])).toContain('it needs a password');
    expect(await refuse(home, ['add', 'gmail', '--user', 'ada'])).toContain('it needs a password');
    const closed = await openConnected('SQLite', '');
    const before = server.proxy.connectionsCount();
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1'])
      expect(await refuse(closed, addWords(closed, `imap://${host}:${server.proxy.port}`, password)), host).toContain(
        'is not a public host',
      );
    expect(server.proxy.connectionsCount()).toBe(before);
  });

  it('uses TLS or STARTTLS, and trusts only a certificate for this host', async () => {
    const server = await startMailServer([mail()], { hasTls: true });
    const home = await openConnected('SQLite', '127.0.0.1,::1,localhost');
    const secure = `localhost:${server.tlsPort}`;
    const upgraded = `imap://localhost:${server.port}`;
    for (const address of [secure, upgraded])
      expect(await refuse(home, addWords(home, address, password)), address).toMatch(
        /certificate of .* is not trusted/,
      );
    const env = { ...home.env, NODE_EXTRA_CA_CERTS: server.certificateFile };
    for (const address of [secure, `imaps://${secure}`, upgraded]) {
      const words = ['connectors', ...addWords(home, address, password), '--json'];
      const { code, stderr } = await runProgram(words, env, '', home.folder);
      expect(code, stderr).toBe(0);
    }
    const byNumber = ['connectors', ...addWords(home, `127.0.0.1:${server.tlsPort}`, password), '--json'];
    expect((await runProgram(byNumber, env, '', home.folder)).stderr).toMatch(/certificate of .* is not trusted/);
    const { connectors } = await home.call<{ connectors: { connector_id: string }[] }>('connectors_list');
    for (const { connector_id } of connectors) {
      const words = ['connectors', 'sync', 'imap', '--connector-id', connector_id, '--json'];
      const { stdout } = await runProgram(words, env, '', home.folder);
      expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' });
    }
    expect(Object.keys(await home.items('message', 'subject'))).toHaveLength(1);
  });

  it('logs in with an access token until that is revoked', async () => {
    const tokens = new Set(['S3cret-access-token']);
    const service = await startService(({ query }) => ({
      body: { active: tokens.has(query.get('token') ?? ''), username: 'ada' },
    }));
    const introspectionUrl = `${service.url}/introspect?token=`;
    const server = await startMailServer([mail()], { introspectionUrl });
    const home = await openConnected();
    const token = (text: string) => addWords(home, server.address, text, '--auth', 'token');
    expect(await refuse(home, token('S3cret-other-token'))).toMatch(/refuses the login/);
    await home.ask('connectors', ...token('S3cret-access-token'));
    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(1) });
    tokens.clear();
    expect(await home.sync('imap')).toMatchObject({
      status: 'failed',
      error: { code: 'SYNC_FAILED', message: expect.stringMatching(/refuses the login: .* connect it again/) },
    });
  });

  it('refuses a server that is not a mail server', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const home = await openConnected();
    const { port } = server.address() as AddressInfo;
    expect(await refuse(home, addWords(home, `imap://127.0.0.1:${port}`, password))).toMatch(
      /the connection to .* was lost/,
    );
  });
});
