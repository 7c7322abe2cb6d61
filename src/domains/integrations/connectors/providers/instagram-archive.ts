import { z } from 'zod';
import type { RemoteItem } from '../connector.ts';
import { archiveConnector } from './archive-files.ts';

/** The export writes each byte of UTF-8 as a character of its own. */
function repairText(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const repaired = bytes.toString('utf8');
  return bytes.toString('latin1') === text && !repaired.includes('\uFFFD') ? repaired : text;
}

/** Until the year 9999. */
const seconds = z
  .number()
  .nonnegative()
  .lt(253_402_300_800)
  .transform((value) => value * 1_000);
const media = z.object({ uri: z.string(), creation_timestamp: seconds, title: z.string().optional() });
const post = z.object({
  media: z.array(media).min(1),
  title: z.string().optional(),
  creation_timestamp: seconds.optional(),
});
const link = z.object({ href: z.string().optional(), value: z.string().optional(), timestamp: seconds });
const liked = z.object({ title: z.string().default(''), string_list_data: z.array(link) });
const saved = z.object({ title: z.string().default(''), string_map_data: z.record(z.string(), link) });
const entries = z.array(z.unknown());

function readPost(entry: unknown): RemoteItem {
  const { media: all, title, creation_timestamp } = post.parse(entry);
  const first = all[0]!;
  const at = creation_timestamp ?? first.creation_timestamp;
  return {
    kind: 'post',
    id: first.uri,
    at,
    fields: {
      text: repairText(title ?? first.title ?? ''),
      date: new Date(at).toISOString(),
      media: all.map(({ uri }) => uri),
      relation: 'own',
    },
  };
}

const toOther = (relation: string, author: string, { href, timestamp }: z.infer<typeof link>): RemoteItem => ({
  kind: 'post',
  id: `${relation} ${href ?? `${author} ${timestamp}`}`,
  at: timestamp,
  fields: { author: repairText(author), url: href, date: new Date(timestamp).toISOString(), relation },
});

function readLiked(entry: unknown): readonly RemoteItem[] {
  const { title, string_list_data } = liked.parse(entry);
  return string_list_data.map((one) => toOther('liked', title, one));
}

function readSaved(entry: unknown): readonly RemoteItem[] {
  const { title, string_map_data } = saved.parse(entry);
  return Object.values(string_map_data).map((one) => toOther('saved', title, one));
}

const isPosts = (path: string): boolean => /(?:^|\/)posts_\d+\.json$/.test(path);
const isLiked = (path: string): boolean => /(?:^|\/)liked_posts\.json$/.test(path);
const isSaved = (path: string): boolean => /(?:^|\/)saved_posts\.json$/.test(path);

export const instagramArchive = archiveConnector({
  name: 'Instagram',
  isWanted: (path) => isPosts(path) || isLiked(path) || isSaved(path),
  parse({ path, text }) {
    const value: unknown = JSON.parse(text);
    if (isLiked(path))
      return { entries: z.object({ likes_media_likes: entries }).parse(value).likes_media_likes, read: readLiked };
    if (isSaved(path))
      return { entries: z.object({ saved_saved_media: entries }).parse(value).saved_saved_media, read: readSaved };
    // Old exports have a single object if there is only one post.
    return { entries: Array.isArray(value) ? value : [value], read: readPost };
  },
});
