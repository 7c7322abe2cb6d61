import { z } from 'zod';
import type { RemoteItem } from '../connector.ts';
import { archiveConnector } from './archive-files.ts';

const tweets = z.array(
  z.object({
    tweet: z.object({
      id_str: z.string(),
      full_text: z.string(),
      created_at: z.string(),
      favorite_count: z.coerce.number().optional(),
      retweet_count: z.coerce.number().optional(),
      in_reply_to_status_id_str: z.string().optional(),
      lang: z.string().optional(),
    }),
  }),
);
const likes = z.array(
  z.object({
    like: z.object({ tweetId: z.string(), fullText: z.string().optional(), expandedUrl: z.string().optional() }),
  }),
);

/** The files are scripts: `window.YTD.tweets.part0 = [ … ]`. */
function readScript(text: string): unknown {
  const start = text.indexOf('=');
  if (!text.trimStart().startsWith('window.YTD.') || start === -1) throw new Error('it does not begin with window.YTD');
  return JSON.parse(text.slice(start + 1));
}

const toPosts = (value: unknown): readonly RemoteItem[] =>
  tweets.parse(value).map(({ tweet }) => ({
    kind: 'post',
    id: tweet.id_str,
    at: Date.parse(tweet.created_at),
    fields: {
      text: tweet.full_text,
      date: new Date(tweet.created_at).toISOString(),
      url: `https://x.com/i/status/${tweet.id_str}`,
      likes_count: tweet.favorite_count,
      reposts_count: tweet.retweet_count,
      in_reply_to: tweet.in_reply_to_status_id_str,
      language: tweet.lang,
      relation: 'own',
    },
  }));

const toLikes = (value: unknown): readonly RemoteItem[] =>
  likes.parse(value).map(({ like }) => ({
    kind: 'post',
    id: `like ${like.tweetId}`,
    fields: { text: like.fullText, url: like.expandedUrl, relation: 'liked' },
  }));

const isTweets = (path: string): boolean => /(?:^|\/)data\/tweets?(?:-part\d+)?\.js$/.test(path);
const isLikes = (path: string): boolean => /(?:^|\/)data\/like(?:-part\d+)?\.js$/.test(path);

export const xArchive = archiveConnector({
  name: 'X',
  isWanted: (path) => isTweets(path) || isLikes(path),
  parse: ({ path, text }) => (isLikes(path) ? toLikes : toPosts)(readScript(text)),
});
