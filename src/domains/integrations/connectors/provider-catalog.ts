import { nearest } from '#kernel/text/edit-distance.ts';
import { integrationFaults } from '../integration-faults.ts';
import { connectableProviders } from './connector-types.ts';

interface ProviderFacts {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly string[];
  readonly auth_type: 'oauth' | 'api_key' | 'credentials';
  readonly oauth_scopes?: readonly string[];
  readonly popularity_score: number;
}

/** Most popular first. */
const facts: readonly ProviderFacts[] = [
  {
    id: 'gmail',
    name: 'Gmail',
    description: 'Mail of a Google account, over IMAP with an app password.',
    capabilities: ['messages'],
    auth_type: 'credentials',
    popularity_score: 98,
  },
  {
    id: 'instagram',
    name: 'Instagram',
    description: 'Posts and reels of a professional account, over the Graph API.',
    capabilities: ['posts'],
    auth_type: 'oauth',
    oauth_scopes: ['instagram_business_basic'],
    popularity_score: 95,
  },
  {
    id: 'google-calendar',
    name: 'Google Calendar',
    description: 'Events of a calendar, by its secret address in iCal format.',
    capabilities: ['events'],
    auth_type: 'credentials',
    popularity_score: 93,
  },
  {
    id: 'x',
    name: 'X',
    description: 'Own posts, likes and bookmarks, over the API v2.',
    capabilities: ['posts', 'likes', 'bookmarks'],
    auth_type: 'oauth',
    oauth_scopes: ['tweet.read', 'users.read', 'like.read', 'bookmark.read', 'offline.access'],
    popularity_score: 92,
  },
  {
    id: 'github',
    name: 'GitHub',
    description: 'Issues and pull requests of a repository.',
    capabilities: ['issues', 'pull_requests'],
    auth_type: 'api_key',
    popularity_score: 91,
  },
  {
    id: 'slack',
    name: 'Slack',
    description: 'Messages of channels.',
    capabilities: ['messages', 'files'],
    auth_type: 'oauth',
    oauth_scopes: ['channels:history', 'channels:read', 'users:read'],
    popularity_score: 90,
  },
  {
    id: 'google-drive',
    name: 'Google Drive',
    description: 'Documents and files.',
    capabilities: ['files', 'documents'],
    auth_type: 'oauth',
    oauth_scopes: ['https://www.googleapis.com/auth/drive.readonly'],
    popularity_score: 89,
  },
  {
    id: 'outlook',
    name: 'Outlook',
    description: 'Mail and calendar of a Microsoft account.',
    capabilities: ['messages', 'events'],
    auth_type: 'oauth',
    oauth_scopes: ['Mail.Read', 'Calendars.Read', 'offline_access'],
    popularity_score: 88,
  },
  {
    id: 'notion',
    name: 'Notion',
    description: 'Pages and databases of a workspace.',
    capabilities: ['notes', 'databases'],
    auth_type: 'oauth',
    popularity_score: 86,
  },
  {
    id: 'plaid',
    name: 'Plaid',
    description: 'Transactions of bank accounts; connected with plaid_create_link_token.',
    capabilities: ['transactions', 'accounts'],
    auth_type: 'oauth',
    popularity_score: 84,
  },
  {
    id: 'imap',
    name: 'Mail (IMAP)',
    description: 'Mail of any IMAP server, with a password or an access token.',
    capabilities: ['messages'],
    auth_type: 'credentials',
    popularity_score: 82,
  },
  {
    id: 'discord',
    name: 'Discord',
    description: 'Messages of servers and channels.',
    capabilities: ['messages'],
    auth_type: 'oauth',
    oauth_scopes: ['identify', 'messages.read'],
    popularity_score: 80,
  },
  {
    id: 'jira',
    name: 'Jira',
    description: 'Issues and comments of projects.',
    capabilities: ['issues', 'comments'],
    auth_type: 'oauth',
    oauth_scopes: ['read:jira-work', 'offline_access'],
    popularity_score: 79,
  },
  {
    id: 'youtube',
    name: 'YouTube',
    description: 'Playlists, subscriptions and liked videos.',
    capabilities: ['playlists', 'likes', 'subscriptions'],
    auth_type: 'oauth',
    oauth_scopes: ['https://www.googleapis.com/auth/youtube.readonly'],
    popularity_score: 78,
  },
  {
    id: 'rss',
    name: 'RSS and Atom feeds',
    description: 'Entries of a feed: RSS, Atom or JSON Feed.',
    capabilities: ['articles'],
    auth_type: 'credentials',
    popularity_score: 76,
  },
  {
    id: 'caldav',
    name: 'Calendar (CalDAV)',
    description: 'Events of the calendars of an account, at any CalDAV server.',
    capabilities: ['events'],
    auth_type: 'credentials',
    popularity_score: 75,
  },
  {
    id: 'ics',
    name: 'Calendar file (ICS)',
    description: 'Events of a published calendar, by its address or file.',
    capabilities: ['events'],
    auth_type: 'credentials',
    popularity_score: 75,
  },
  {
    id: 'dropbox',
    name: 'Dropbox',
    description: 'Files and folders.',
    capabilities: ['files'],
    auth_type: 'oauth',
    oauth_scopes: ['files.metadata.read', 'files.content.read'],
    popularity_score: 74,
  },
  {
    id: 'linear',
    name: 'Linear',
    description: 'Issues, projects and cycles.',
    capabilities: ['issues', 'projects'],
    auth_type: 'api_key',
    popularity_score: 72,
  },
  {
    id: 'todoist',
    name: 'Todoist',
    description: 'Tasks and projects.',
    capabilities: ['tasks', 'projects'],
    auth_type: 'oauth',
    oauth_scopes: ['data:read'],
    popularity_score: 70,
  },
  {
    id: 'gitlab',
    name: 'GitLab',
    description: 'Issues and merge requests.',
    capabilities: ['issues', 'pull_requests'],
    auth_type: 'api_key',
    popularity_score: 68,
  },
  {
    id: 'mastodon',
    name: 'Mastodon',
    description: 'Own posts, favourites and bookmarks of an account.',
    capabilities: ['posts', 'likes', 'bookmarks'],
    auth_type: 'api_key',
    popularity_score: 64,
  },
  {
    id: 'folder',
    name: 'Local folder',
    description: 'Text files below a folder of this machine.',
    capabilities: ['documents'],
    auth_type: 'credentials',
    popularity_score: 62,
  },
  {
    id: 'git',
    name: 'Local git repository',
    description: 'Commits with their authors, and tags.',
    capabilities: ['commits', 'tags'],
    auth_type: 'credentials',
    popularity_score: 60,
  },
  {
    id: 'x-archive',
    name: 'X data export',
    description: 'Posts and likes from the archive that X sends on request.',
    capabilities: ['posts', 'likes'],
    auth_type: 'credentials',
    popularity_score: 48,
  },
  {
    id: 'instagram-archive',
    name: 'Instagram data export',
    description: 'Posts, likes and saved posts from the archive that Instagram sends on request.',
    capabilities: ['posts', 'likes', 'bookmarks'],
    auth_type: 'credentials',
    popularity_score: 46,
  },
];

/** Connected with tools of their own, and how. */
const otherwiseConnected: ReadonlyMap<string, string> = new Map([
  ['plaid', 'Plaid is connected with plaid_create_link_token and synced with plaid_sync'],
]);

/** `available` only if it can be connected here. */
export const providerCatalog = facts.map(({ capabilities, oauth_scopes, ...provider }) => ({
  ...provider,
  capabilities: [...capabilities],
  ...(oauth_scopes !== undefined && { oauth_scopes: [...oauth_scopes] }),
  status:
    connectableProviders.includes(provider.id) || otherwiseConnected.has(provider.id)
      ? ('available' as const)
      : ('coming_soon' as const),
}));

type Provider = (typeof providerCatalog)[number];

/** Throws PROVIDER_NOT_FOUND, which names the nearest id. */
export function expectProvider(id: string): Provider {
  const found = providerCatalog.find((provider) => provider.id === id);
  if (found !== undefined) return found;
  const near = nearest(
    id,
    providerCatalog.map((provider) => provider.id),
  );
  throw integrationFaults.PROVIDER_NOT_FOUND({ provider: id, ...(near !== undefined && { nearest: near }) });
}

/** Why `connectors add` does not connect it; undefined if it does. */
export const whyNotConnectable = ({ id, name, status }: Provider): string | undefined =>
  status === 'coming_soon' ? `${name} cannot be connected yet` : otherwiseConnected.get(id);
