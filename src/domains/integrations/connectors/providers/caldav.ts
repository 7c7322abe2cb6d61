import { z } from 'zod';
import { integrationFaults } from '../../integration-faults.ts';
import { integrationLimits } from '../../integration-limits.ts';
import { defineConnector, type RemoteItem, type RemoteProblem } from '../connector.ts';
import { type PartPage, type PartRequest, readParts } from '../parts.ts';
import { readCalendarsTask } from '../reader-tasks.ts';
import type { ReadCalendarResult } from '../readers/read-calendar.ts';
import { createDavClient, type DavClient, type DavEntry } from './dav-client.ts';

const failed = (why: string) => integrationFaults.SYNC_FAILED({ why });

const placeForm = z.object({
  /** Of the server, for what has changed since. */
  token: z.string().optional(),
  /** Of servers without tokens: changes with every change of the calendar. */
  ctag: z.string().optional(),
  /** The files of the calendar, each with its version and the instances of its series that are events of their own. */
  known: z.array(z.tuple([z.string(), z.string(), z.array(z.string())])).default([]),
});
type Place = z.infer<typeof placeForm>;

/** What a sync has to read, by URL. */
interface Changes {
  readonly changed: Map<string, string>;
  readonly removed: Set<string>;
  readonly token: string | undefined;
  /** The server did not list all. */
  readonly isCut: boolean;
  /** It listed files that it did not return. The next sync asks for them again. */
  hasUnread: boolean;
}

/** Nothing has changed since all of it was stored. */
function isSame({ syncToken, ctag }: DavEntry, at: Place): boolean {
  return syncToken === undefined ? ctag !== undefined && ctag === at.ctag : syncToken === at.token;
}

const isAnswered = (status: number | undefined): boolean => status === 404 || (status !== undefined && status < 300);

const isMember = (entry: DavEntry, calendar: string): boolean =>
  entry.url.startsWith(calendar) && entry.url !== calendar && !entry.url.endsWith('/');

async function listChanges(dav: DavClient, calendar: DavEntry, place: Place, signal: AbortSignal): Promise<Changes> {
  const { url } = calendar;
  const hasTokens = calendar.syncToken !== undefined;
  const since = hasTokens && place.token !== undefined ? await dav.syncCollection(url, place.token, signal) : undefined;
  const all = since === undefined && hasTokens ? await dav.syncCollection(url, '', signal) : undefined;
  const { entries, syncToken } = since ?? all ?? (await dav.listMembers(url, signal));
  const isCut = entries.some(({ status }) => status === 507);
  const changed = new Map<string, string>();
  const removed = new Set<string>();
  for (const entry of entries.filter((one) => isMember(one, url))) {
    if (entry.status === 404) removed.add(entry.url);
    else if (entry.status < 300) changed.set(entry.url, entry.etag ?? '');
  }
  // A list of all that has no entry for a file means that it is gone.
  if (since === undefined && !isCut)
    for (const [name] of place.known) if (!changed.has(url + name)) removed.add(url + name);
  return { changed, removed, token: syncToken, isCut, hasUnread: false };
}

/** Asks the server where the calendars of the account are, as far as the address does not say it (RFC 6764). */
async function findCalendars(dav: DavClient, address: string, signal: AbortSignal): Promise<readonly DavEntry[]> {
  const { origin, host, pathname } = new URL(address);
  /** The password is for this server only. */
  const toUrl = (href: string, base: string): string => {
    const url = new URL(href, base);
    if (url.origin !== origin)
      throw failed(`the calendars of this account are at another server; connect ${url.href.slice(0, 200)} instead`);
    return url.href;
  };
  const found =
    (await dav.findCollection(address, signal)) ??
    (pathname === '/' ? await dav.findCollection(`${origin}/.well-known/caldav`, signal) : undefined);
  if (found === undefined) throw failed(`${host} has no calendars at this address`);
  // A redirect may have led elsewhere.
  const at = toUrl(found.url, address);
  if (found.isCalendar) return [found];
  const home =
    found.home ?? (found.principal && (await dav.findCollection(toUrl(found.principal, at), signal))?.home) ?? at;
  const { entries } = await dav.listCollections(toUrl(home, at), signal);
  return entries.filter(
    ({ url, isCalendar, hasEvents }) => isCalendar && hasEvents !== false && new URL(url).origin === origin,
  );
}

const folderOf = ({ url }: DavEntry): string => decodeURIComponent(url.split('/').filter(Boolean).at(-1)!);
const nameOf = (calendar: DavEntry): string => calendar.name ?? folderOf(calendar);

function choose(calendars: readonly DavEntry[], parts: readonly string[] | undefined): readonly DavEntry[] {
  const names = calendars.map(nameOf).join(', ').slice(0, 300);
  const isCalled = (part: string, calendar: DavEntry) => nameOf(calendar) === part || folderOf(calendar) === part;
  for (const part of parts ?? [])
    if (!calendars.some((calendar) => isCalled(part, calendar)))
      throw failed(`no calendar is called ${part}; there is ${names || 'none'}`);
  const chosen = calendars.filter((calendar) => parts?.some((part) => isCalled(part, calendar)) ?? true);
  if (chosen.length === 0) throw failed('the account has no calendar');
  return chosen;
}

const idOf = (url: string, instance: string): string => (instance === '' ? url : `${url}#${instance}`);

const toRemoved = (url: string, instance: string): RemoteItem => ({
  kind: 'event',
  id: idOf(url, instance),
  fields: { status: 'removed' },
});

interface KnownFile {
  readonly etag: string;
  readonly instances: readonly string[];
}

/** The events of one file. Instances that were in it and are gone are removed. */
function readFile(calendar: DavEntry, url: string, result: ReadCalendarResult, before: readonly string[]) {
  if ('why' in result) return { items: [], problems: [{ id: url, why: result.why }], instances: before };
  const instances = result.events.map(({ instance }) => instance).filter((instance) => instance !== '');
  const items: RemoteItem[] = result.events.map(({ instance, fields }) => ({
    kind: 'event',
    id: idOf(url, instance),
    fields: { ...fields, calendar: nameOf(calendar) },
  }));
  const gone = before.filter((instance) => !instances.includes(instance));
  return {
    items: [...items, ...gone.map((instance) => toRemoved(url, instance))],
    problems: result.problems,
    instances,
  };
}

/** Reads calendars of an account. Every event is one file at the server, with all changed instances of a series. */
export const caldav = defineConnector({
  options: z.strictObject({
    address: z.url({
      protocol: /^https?$/,
      error: 'pass the server: connectors add caldav https://dav.example.org --user ada --secret-file password',
    }),
    user: z
      .string({ error: 'pass your user name: --user ada' })
      .regex(/^[^:]+$/, { error: 'a user name has no colon' }),
    parts: z.array(z.string()).min(1).optional(),
  }),
  secret: { what: 'the password, or an app password, of the account' },
  open({ address, user, parts }, password, deps) {
    const dav = createDavClient(deps, { user, password: password! });
    let calendars: readonly DavEntry[] | undefined;
    // For all pages of a sync.
    const listed = new Map<string, Changes>();

    async function readFiles(calendar: DavEntry, urls: readonly string[], signal: AbortSignal) {
      if (urls.length === 0) return { read: [], unread: [] };
      const { entries } = await dav.readMembers(calendar.url, urls, signal);
      const answered = new Map(entries.map((entry) => [entry.url, entry]));
      const files = urls.flatMap((url) => answered.get(url) ?? []).filter(({ status }) => status < 300);
      const texts = files.map((file) => file.calendar ?? '');
      const results = await deps.readText(readCalendarsTask, texts, signal);
      return {
        read: files.map((file, at) => ({ file, result: results[at]! })),
        // Except for those that were deleted meanwhile.
        unread: urls.filter((url) => !isAnswered(answered.get(url)?.status)),
      };
    }

    /** Reads some of the changes and removes them from the list. */
    async function takeChanges(
      calendar: DavEntry,
      changes: Changes,
      known: Map<string, KnownFile>,
      request: PartRequest,
    ) {
      const { changed, removed } = changes;
      const count = Math.min(request.limit, integrationLimits.davFilesCount);
      const urls = [...changed.keys()].slice(0, count);
      const items: RemoteItem[] = [];
      const problems: RemoteProblem[] = [];
      const { read: files, unread } = await readFiles(calendar, urls, request.signal);
      for (const url of unread) problems.push({ id: url, why: 'the server lists it, and does not return it' });
      changes.hasUnread ||= unread.length > 0;
      for (const { file, result } of files) {
        const { url, etag = changed.get(url) ?? '' } = file;
        const read = readFile(calendar, url, result, known.get(url)?.instances ?? []);
        items.push(...read.items);
        problems.push(...read.problems);
        known.set(url, { etag, instances: read.instances });
      }
      for (const url of urls) changed.delete(url);
      for (const url of [...removed].slice(0, count - urls.length)) {
        const gone = known.get(url);
        if (gone !== undefined) items.push(...['', ...gone.instances].map((instance) => toRemoved(url, instance)));
        known.delete(url);
        removed.delete(url);
      }
      return { items, problems };
    }

    async function fetchCalendar(request: PartRequest): Promise<PartPage> {
      const { part, place, signal } = request;
      const nothing: PartPage = { items: [], place, hasMore: false };
      const calendar = calendars?.find(({ url }) => url === part);
      // Deleted, or no longer chosen.
      if (calendar === undefined) return nothing;
      const at = placeForm.parse(JSON.parse(place ?? '{}'));
      const changes =
        listed.get(part) ?? (isSame(calendar, at) ? undefined : await listChanges(dav, calendar, at, signal));
      if (changes === undefined) return nothing;
      listed.set(part, changes);
      const { changed, removed, token, isCut } = changes;
      const known = new Map<string, KnownFile>(
        at.known.map(([name, etag, instances]) => [part + name, { etag, instances }]),
      );
      for (const [url, etag] of changed) if (etag !== '' && known.get(url)?.etag === etag) changed.delete(url);

      const page = await takeChanges(calendar, changes, known, request);
      const isDone = changed.size === 0 && removed.size === 0;
      if (isDone) listed.delete(part);
      const next: Place = {
        ...(isDone && !changes.hasUnread ? { token, ctag: calendar.ctag } : { token: at.token }),
        known: [...known].map(([url, { etag, instances }]) => [url.slice(part.length), etag, [...instances]]),
      };
      return { ...page, place: JSON.stringify(next), hasMore: !isDone || isCut };
    }

    return {
      async fetchPage(request) {
        calendars ??= choose(await findCalendars(dav, address, request.signal), parts);
        const urls = calendars.map(({ url }) => url);
        return readParts(urls, fetchCalendar)(request);
      },
    };
  },
});
