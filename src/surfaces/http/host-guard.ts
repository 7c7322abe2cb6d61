import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Fault } from '#kernel/fault/fault.ts';
import { httpFaults } from '#kernel/fault/http-faults.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { HttpSettings } from './http-deps.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const wildcards = new Set(['0.0.0.0', '::', '[::]']);
const forwardingHeader =
  /^(?:forwarded|x-forwarded(?:-.+)?|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|via)$/;
const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };
const rememberedCount = 64;

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** `Memory.Example.com:8787` → `memory.example.com`; undefined if it is not a host. */
export function toHostName(header: string): string | undefined {
  const [, name] =
    /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9_])?)\.?(?::\d{1,5})?$/i.exec(header) ?? [];
  return name?.toLowerCase();
}

export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Two Host headers mean different things to different readers (RFC 9112, section 3.2). */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1;
}

export interface HostGuard {
  /** Why the request is rejected, or undefined. */
  faultOf(req: IncomingMessage): Fault | undefined;
  /** The settings list this origin: its pages may read our answers. */
  isAllowedOrigin(origin: string): boolean;
}

export interface HostGuardSettings {
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/**
 * Against DNS rebinding: a foreign page can point its own name to this machine, but it cannot make the browser send
 * another name in Host and Origin.
 */
export function createHostGuard({ host, allowedHosts, allowedOrigins }: HostGuardSettings): HostGuard {
  const isWildcard = wildcards.has(host);
  const namesOfSettings = new Set(allowedHosts.map((name) => toHostName(bracketed(name)) ?? ''));
  namesOfSettings.delete('');
  const names = new Set([...loopbackNames, ...namesOfSettings]);
  if (!isWildcard) names.add(bracketed(host).toLowerCase());
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const remembered = new Set<string>();

  function isOwnHost(header: string, localAddress: string | undefined): boolean {
    if (remembered.has(header)) return true;
    const name = toHostName(header);
    if (name === undefined) return false;
    if (names.has(name)) {
      if (remembered.size < rememberedCount) remembered.add(header);
      return true;
    }
    // Bound to every address: the address the client used is ours too. It is not a name, so it cannot be rebound.
    return isWildcard && localAddress !== undefined && name === bracketed(localAddress.replace(/^::ffff:/, ''));
  }

  const isAllowedOrigin = (origin: string): boolean => origins.has(origin.toLowerCase());

  /**
   * A page of this server, by its port: other programs on this machine serve pages too. A name of the settings may also be
   * that of a proxy, on the usual port.
   */
  function isOwnOrigin(origin: string, header: string, { localAddress, localPort }: Socket): boolean {
    if (isAllowedOrigin(origin)) return true;
    const [, scheme = '', rest = '', port] = /^(https?):\/\/([^/?#]+?)(?::(\d{1,5}))?$/i.exec(origin) ?? [];
    if (!isOwnHost(rest, localAddress)) return false;
    const usual = defaultPorts[scheme.toLowerCase()];
    const at = port ?? usual;
    if (at === String(localPort)) return true;
    if (at === usual && namesOfSettings.has(rest.toLowerCase())) return true;
    // The client reached us at this address, for example through a forwarded port.
    return `${rest}:${at}`.toLowerCase() === (/:\d+$/.test(header) ? header : `${header}:${usual}`).toLowerCase();
  }

  return {
    isAllowedOrigin,
    faultOf(req) {
      // `GET http://elsewhere/` names a host in addition to the Host header; only proxies get such requests.
      if (!req.url?.startsWith('/')) return faults.INVALID_REQUEST({ why: 'the request target is not a path' });
      const { host: header, origin } = req.headers;
      if (!hasOneHost(req.rawHeaders)) return faults.INVALID_REQUEST({ why: 'exactly one Host header is required' });
      if (header === undefined || !isOwnHost(header, req.socket.localAddress)) return httpFaults.FOREIGN_HOST();
      if (origin !== undefined && !isOwnOrigin(origin, header, req.socket)) return httpFaults.FOREIGN_ORIGIN();
      return undefined;
    },
  };
}

/** Behind a proxy on the same machine, every client has a loopback address. Many proxies speak HTTP/1.0 by default. */
export const isForwarded = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.0' || Object.keys(headers).some((name) => forwardingHeader.test(name));

/**
 * Sent from this machine to one of its own names, and not forwarded by a proxy. A server with names for other machines may
 * be behind a proxy that does not show itself, so it regards no request as local.
 */
export function isLocalRequest(
  req: IncomingMessage,
  { allowedHosts, oauth }: Pick<HttpSettings, 'allowedHosts' | 'oauth'>,
): boolean {
  if (allowedHosts.length > 0 || oauth !== undefined) return false;
  const name = toHostName(req.headers.host ?? '');
  const peer = req.socket.remoteAddress?.replace(/^::ffff:/, '');
  return (
    name !== undefined &&
    loopbackNames.includes(name) &&
    peer !== undefined &&
    isLoopbackHost(peer) &&
    !isForwarded(req)
  );
}
