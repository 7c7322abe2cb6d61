import type { ImapFlow } from 'imapflow';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Outbound } from '#kernel/outbound/outbound.ts';
import { integrationFaults } from '../../integration-faults.ts';
import { integrationLimits } from '../../integration-limits.ts';

export interface ImapAccount {
  readonly address: string;
  readonly user: string;
  readonly auth: 'password' | 'token';
}

interface ImapAddress {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. Otherwise STARTTLS. */
  readonly isSecure: boolean;
}

/** `imap.example.org`, with a port if it is an unusual one, or a URL with `imaps:` or `imap:`. */
export function parseImapAddress(address: string): ImapAddress {
  const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `imaps://${address}`);
  const isSecure = url?.protocol === 'imaps:';
  const isPlain = url !== null && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '';
  if (!isPlain || url.hostname === '' || url.username !== '' || url.password !== '' || !/^imaps?:$/.test(url.protocol))
    throw faults.VALIDATION_ERROR(
      { why: 'the address is a host, imaps://host:port (TLS) or imap://host:port (STARTTLS), without user and path' },
      { field: 'address' },
    );
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || (isSecure ? 993 : 143), isSecure };
}

/** What the client throws. Its texts may hold commands with the password: only these fields are read. */
interface ImapError {
  readonly code?: string;
  readonly authenticationFailed?: boolean;
  readonly mailboxMissing?: boolean;
  readonly tlsFailed?: boolean;
  readonly responseStatus?: string;
}

export const isMissingMailbox = (error: unknown): boolean => (error as ImapError).mailboxMissing === true;

const timeouts: ReadonlySet<string> = new Set([
  ...['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT', 'ETIMEDOUT'],
]);
const lostConnections: ReadonlySet<string> = new Set([
  ...['NoConnection', 'EConnectionClosed', 'StateLogout', 'ClosedAfterConnectText', 'ClosedAfterConnectTLS'],
  ...['ECONNRESET', 'EPIPE', 'ECONNABORTED'],
]);

interface Explained {
  readonly why: string;
  /** It may work a moment later. */
  readonly isTemporary: boolean;
}

const lasting = (why: string): Explained => ({ why, isTemporary: false });
const temporary = (why: string): Explained => ({ why, isTemporary: true });

function explain({ code = '', ...error }: ImapError, where: string): Explained {
  if (error.authenticationFailed === true)
    return lasting(`${where} refuses the login: check the user and the password or token, and connect it again`);
  if (error.responseStatus !== undefined) return lasting(`${where} rejected a command (${error.responseStatus})`);
  if (code === 'ECONNREFUSED') return temporary(`${where} refuses the connection: check the host and the port`);
  if (timeouts.has(code)) return temporary(`${where} did not answer in time`);
  if (lostConnections.has(code)) return temporary(`the connection to ${where} was lost`);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return lasting(`${where} offers no TLS on this port; imap:// uses STARTTLS`);
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return lasting(`the certificate of ${where} is not trusted (${code})`);
  if (error.tlsFailed === true) return lasting(`${where} offers no TLS; without it only this machine is reached`);
  if (code.endsWith('TooLarge')) return lasting(`an answer of ${where} is too large`);
  return lasting(`${where} could not be read${/^\w{1,40}$/.test(code) ? ` (${code})` : ''}`);
}

/** The fault for an error of the client, and whether the same may work a moment later. */
export function toMailFault(error: unknown, address: string) {
  const { host, port } = parseImapAddress(address);
  const { why, isTemporary } = explain(error as ImapError, `${host}:${port}`);
  // Without the cause: it may hold the password.
  return { fault: integrationFaults.SYNC_FAILED({ why }), isTemporary };
}

async function loadClient() {
  try {
    return (await import('imapflow')).ImapFlow;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw integrationFaults.SYNC_FAILED({ why: 'the optional package imapflow is not installed' });
  }
}

/** Logs in. The connection ends when the signal aborts. */
export async function openAccount(
  { address, user, auth }: ImapAccount,
  secret: string,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<ImapFlow> {
  const Client = await loadClient();
  const { host, port, isSecure } = parseImapAddress(address);
  const { lookup, isLoopback } = await outbound.findHost(host);
  const { imapLineBytes, imapTimeoutMs, mailBytes } = integrationLimits;
  const client = new Client({
    host,
    port,
    secure: isSecure,
    // On this machine a server without TLS is accepted.
    ...(!isSecure && !isLoopback && { doSTARTTLS: true }),
    // The options of TLS are those of the socket, too.
    tls: { lookup },
    auth: { user, ...(auth === 'token' ? { accessToken: secret } : { pass: secret }) },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: imapTimeoutMs,
    greetingTimeout: imapTimeoutMs,
    socketTimeout: imapTimeoutMs,
    maxLineLength: imapLineBytes,
    maxLiteralSize: mailBytes,
    maxResponseSize: imapLineBytes,
  });
  // The running command reports it.
  client.on('error', () => {});
  const close = () => client.close();
  signal.addEventListener('abort', close, { once: true });
  client.on('close', () => signal.removeEventListener('abort', close));
  signal.throwIfAborted();
  await client.connect();
  return client;
}
