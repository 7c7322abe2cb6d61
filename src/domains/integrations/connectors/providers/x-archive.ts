import { z } from 'zod';
import type { RemoteItem } from '../connector.ts';
import { isoTime } from '../read-items.ts';
import { archiveConnector } from './archive-files.ts';

const post = z.object({
  tweet: z.object({
    id_str: z.string(),
    full_text: z.string(),
    created_at: isoTime,
    favorite_count: z.coerce.number().optional(),
    retweet_count: z.coerce.number().optional(),
    in_reply_to_status_id_str: z.string().optional(),
    lang: z.string().optional(),
  }),
});
const like = z.object({
  like: z.object({ tweetId: z.string(), fullText: z.string().optional(), expandedUrl: z.string().optional() }),
});

/** The files are scripts: `window.YTD.tweets.part0 = [ … ]`. */
function readScript(text: string): unknown {
  const start = text.indexOf('=');
  if (!text.trimStart().startsWith('window.YTD.') || start === -1) throw new Error('it does not begin with window.YTD');
  return JSON.parse(text.slice(start + 1));
}

function readPost(entry: unknown): RemoteItem {
  const { tweet } = post.parse(entry);
  return {
    kind: 'post',
    id: tweet.id_str,
    at: Date.parse(tweet.created_at),
    fields: {
      text: tweet.full_text,
      date: tweet.created_at,
      url: `https://x.com/i/status/${tweet.id_str}`,
      likes_count: tweet.favorite_count,
      reposts_count: tweet.retweet_count,
      in_reply_to: tweet.in_reply_to_status_id_str,
      language: tweet.lang,
      relation: 'own',
    },
  };
}

function readLike(entry: unknown): RemoteItem {
  const { tweetId, fullText, expandedUrl } = like.parse(entry).like;
  return {
    kind: 'post',
    id: `like ${tweetId}`,
    fields: { text: fullText, url: expandedUrl, relation: 'liked' },
  };
}

const isTweets = (path: string): boolean => /(?:^|\/)data\/tweets?(?:-part\d+)?\.js$/.test(path);
const isLikes = (path: string): boolean => /(?:^|\/)data\/like(?:-part\d+)?\.js$/.test(path);

export const xArchive = archiveConnector({
  name: 'X',
  isWanted: (path) => isTweets(path) || isLikes(path),
  parse: ({ path, text }) => ({
    entries: z.array(z.unknown()).parse(readScript(text)),
    read: isLikes(path) ? readLike : readPost,
  }),
});
