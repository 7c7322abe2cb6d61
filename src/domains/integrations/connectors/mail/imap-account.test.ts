import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Outbound } from '#kernel/outbound/outbound.ts';
import { openAccount, parseImapAddress, toMailFault } from './imap-account.ts';

/** A server that offers no TLS, and what clients send to it. */
async function startPlainServer() {
  const seen: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready\r\n');
    socket.on('data', (data) => {
      const line = String(data);
      seen.push(line);
      const [tag, command] = line.split(' ');
      if (command?.startsWith('AUTHENTICATE') === true) socket.write(`${tag} NO [AUTHENTICATIONFAILED] no\r\n`);
      else socket.write(`* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n${tag} OK done\r\n`);
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, seen };
}

/** Every name leads to this machine, as if its address were public. */
const outbound = (isLoopback: boolean): Outbound => ({
  request: () => Promise.reject(new Error('not expected')),
  findHost: async () => ({
    lookup: (_host, wanted, done) =>
      wanted.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
    isLoopback,
  }),
});

describe('[IG82] an IMAP account', () => {
  it.each([
    [false, /offers no TLS/, false],
    [true, /refuses the login/, true],
  ])('sends a password without TLS only to this machine (loopback: %s)', async (isLoopback, why, isSent) => {
    const { port, seen } = await startPlainServer();
    const account = { address: `imap://mail.example:${port}`, user: 'ada', auth: 'password' } as const;
    const opened = openAccount(account, 'word', outbound(isLoopback), new AbortController().signal);
    const error: unknown = await opened.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(toMailFault(error, account.address).fault.message).toMatch(why);
    expect(seen.some((line) => /AUTHENTICATE|LOGIN/.test(line))).toBe(isSent);
  });

  it('ends its connection when the caller stops', async () => {
    const server = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const caller = new AbortController();
    const address = `imap://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const opened = openAccount({ address, user: 'ada', auth: 'password' }, 'word', outbound(true), caller.signal);
    const [socket] = (await once(server, 'connection')) as [NodeJS.EventEmitter];
    const closed = once(socket, 'close');
    caller.abort();
    await expect(opened).rejects.toThrow('Unexpected close');
    await closed;
  });

  it.each([
    ['imap.example.org', { host: 'imap.example.org', port: 993, isSecure: true }],
    ['imap.example.org:1993', { host: 'imap.example.org', port: 1993, isSecure: true }],
    ['imaps://imap.example.org', { host: 'imap.example.org', port: 993, isSecure: true }],
    ['imap://[::1]:1143', { host: '::1', port: 1143, isSecure: false }],
    ['IMAP://mail.example/', { host: 'mail.example', port: 143, isSecure: false }],
  ])('is at the address %s', (address, expected) => {
    expect(parseImapAddress(address)).toEqual(expected);
  });
});
