import type { ConnectorType } from './connector.ts';

/** Loaded on demand: most installations use few of them, and some need large packages. */
const loaders: Readonly<Record<string, () => Promise<ConnectorType>>> = {
  folder: async () => (await import('./providers/folder.ts')).folder,
  git: async () => (await import('./providers/git.ts')).git,
  'x-archive': async () => (await import('./providers/x-archive.ts')).xArchive,
  'instagram-archive': async () => (await import('./providers/instagram-archive.ts')).instagramArchive,
  github: async () => (await import('./providers/github.ts')).github,
  mastodon: async () => (await import('./providers/mastodon.ts')).mastodon,
  x: async () => (await import('./providers/x.ts')).x,
  instagram: async () => (await import('./providers/instagram.ts')).instagram,
  rss: async () => (await import('./providers/feed.ts')).feed,
  ics: async () => (await import('./providers/ics.ts')).ics,
  'google-calendar': async () => (await import('./providers/ics.ts')).googleCalendar,
  caldav: async () => (await import('./providers/caldav.ts')).caldav,
  imap: async () => (await import('./providers/imap.ts')).imap,
  gmail: async () => (await import('./providers/imap.ts')).gmail,
};

/** Undefined if the provider cannot be connected. */
export const loadConnectorType = async (provider: string): Promise<ConnectorType | undefined> =>
  Object.hasOwn(loaders, provider) ? loaders[provider]!() : undefined;

export const connectableProviders: readonly string[] = Object.keys(loaders);
