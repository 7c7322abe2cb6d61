import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { integrationFaults } from '../../integration-faults.ts';
import { defineConnector, type RemoteItem } from '../connector.ts';
import { findLink } from '../link-header.ts';
import { isoTime, readItems } from '../read-items.ts';
import { createServiceClient } from '../service-client.ts';

const pageMax = 100;
/**
 * Every sync reads the last minute again: issues can appear late in the list, or move to its end while it is read.
 * Those that have not changed are not stored again.
 */
const overlapMs = 60_000;

const cursorForm = z.object({
  since: z.string().optional(),
  page: z.int(),
  /** The first issue of the page before, if that had the same `since`. */
  first: z.string().optional(),
});

const account = z.object({ login: z.string() });
const issueForm = z.object({
  html_url: z.string().min(1),
  number: z.int(),
  title: z.string(),
  state: z.string(),
  body: z.string().nullish(),
  user: account.nullish(),
  assignees: z.array(account).nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).nullish(),
  milestone: z.object({ title: z.string() }).nullish(),
  pull_request: z.object({}).nullish(),
  created_at: isoTime,
  updated_at: isoTime,
  closed_at: isoTime.nullish(),
});
type Issue = z.infer<typeof issueForm>;

/** `owner/name`, or the address of a repository at github.com or a GitHub Enterprise server. */
function parseAddress(address: string) {
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : URL.parse(`https://github.com/${address}`);
  const names = url?.pathname.split('/').filter(Boolean).slice(0, 2) ?? [];
  const repository = names.join('/').replace(/\.git$/, '');
  if (url === null || names.length < 2 || !names.every((name) => /^[\w.-]+$/.test(name)))
    throw faults.VALIDATION_ERROR(
      { why: 'the address is owner/repository or the URL of a repository' },
      { field: 'address' },
    );
  const isPublic = ['github.com', 'www.github.com'].includes(url.hostname);
  return { api: isPublic ? 'https://api.github.com' : `${url.origin}/api/v3`, repository };
}

const toSince = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const toItem = (repository: string, issue: Issue): RemoteItem => ({
  kind: 'issue',
  id: issue.html_url,
  at: Date.parse(issue.updated_at),
  fields: {
    title: issue.title,
    text: issue.body ?? '',
    state: issue.state,
    number: issue.number,
    is_pull_request: issue.pull_request != null,
    author: issue.user?.login,
    assignees: issue.assignees?.map(({ login }) => login) ?? [],
    labels: issue.labels?.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? []))) ?? [],
    milestone: issue.milestone?.title,
    repository,
    url: issue.html_url,
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    closed_at: issue.closed_at ?? undefined,
  },
});

/**
 * Reads the issues in the order of their last change. Each page starts at the time of the last issue of the page
 * before: page numbers alone would skip issues if others change meanwhile.
 */
export const github = defineConnector({
  options: z.strictObject({ address: z.string({ error: 'pass the repository: connectors add github owner/name' }) }),
  secret: { what: 'a token with read access to issues', isOptional: true },
  open({ address }, token, { outbound, now }) {
    const { api, repository } = parseAddress(address);
    const client = createServiceClient(outbound, now);
    const headers = {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      // GitHub rejects requests without one.
      'user-agent': 'fourfold',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    // Pages overlap; a problem counts once.
    const named = new Set<string>();
    return {
      async fetchPage({ cursor, limit, signal }) {
        const { since, page, first } = cursorForm.parse(cursor === undefined ? { page: 1 } : JSON.parse(cursor));
        const query = new URLSearchParams({
          state: 'all',
          sort: 'updated',
          direction: 'asc',
          per_page: String(Math.min(limit, pageMax)),
          page: String(page),
          ...(since !== undefined && { since }),
        });
        const url = `${api}/repos/${repository}/issues?${query.toString()}`;
        const answer = await client.jsonPage(url, z.array(z.unknown()), { headers, signal });
        const read = readItems(answer.value, issueForm, (issue) => toItem(repository, issue));
        const problems = read.problems.filter(({ id }) => !named.has(id));
        for (const { id } of problems) named.add(id);
        const start = read.items[0]?.id;
        if (page > 1 && start !== undefined && start === first)
          throw integrationFaults.SYNC_FAILED({ why: 'GitHub returned the same page again and again' });

        const hasMore = answer.value.length > 0 && findLink(answer.headers.link, 'next') !== undefined;
        const last = Math.max(0, ...read.items.map(({ at }) => at!));
        let next: z.infer<typeof cursorForm> = { since, page: 1 };
        if (hasMore && last > Date.parse(since ?? '1970-01-01')) next = { since: toSince(last), page: 1 };
        else if (hasMore) next = { since, page: page + 1, first: start };
        // A time in the future, from a wrong clock, would hide later changes.
        else if (last > 0) next = { since: toSince(Math.min(last, now()) - overlapMs), page: 1 };
        return { items: read.items, problems, hasMore, cursor: JSON.stringify(next) };
      },
    };
  },
});
