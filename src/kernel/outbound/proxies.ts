export interface ProxySettings {
  /** The addresses of the proxies for http and https URLs. */
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts that are reached directly. */
  readonly except?: readonly string[] | undefined;
}

export interface Proxies {
  /** The address of the proxy for a URL; undefined if it is reached directly. */
  find(url: URL): string | undefined;
}

/** `example.org`, `.example.org` and `*.example.org` include subdomains; a port limits an entry to that port. */
function matches(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const [host = '', port] = entry.startsWith('[') ? [entry] : entry.split(':');
  const actualPort = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (port !== undefined && port !== actualPort) return false;
  const wanted = host.replace(/^\*?\./, '');
  const name = url.hostname.toLowerCase();
  return wanted !== '' && (name === wanted || name.endsWith(`.${wanted}`));
}

export function createProxies({ http, https, except = [] }: ProxySettings): Proxies {
  const direct = except.map((entry) => entry.trim().toLowerCase());
  return {
    find(url) {
      const proxy = url.protocol === 'https:' ? https : http;
      return proxy === undefined || direct.some((entry) => matches(entry, url)) ? undefined : proxy;
    },
  };
}
