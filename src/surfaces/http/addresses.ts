/** Where a client on this machine reaches a server on this host and port. */
export const toUrl = (host: string, port: number): string => {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

/** The text follows `#`, so that no server, proxy or log sees it. */
export const toSignInLink = (url: string, text: string): string => `${url}/sign-in#${text}`;
