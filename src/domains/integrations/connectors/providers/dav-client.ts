import { integrationFaults } from '../../integration-faults.ts';
import type { ConnectorDeps } from '../connector.ts';
import { readMultistatusTask } from '../reader-tasks.ts';
import type { DavResource } from '../readers/read-multistatus.ts';
import { createServiceClient, explainStatus } from '../service-client.ts';

const failed = (why: string) => integrationFaults.SYNC_FAILED({ why });

/** A resource with its whole URL. */
export interface DavEntry extends DavResource {
  readonly url: string;
}

export interface DavAnswer {
  readonly entries: readonly DavEntry[];
  readonly syncToken: string | undefined;
}

const declaration = '<?xml version="1.0" encoding="utf-8"?>';
const namespaces = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/"';

const wanted = [
  ...['<resourcetype/>', '<displayname/>', '<sync-token/>', '<S:getctag/>', '<current-user-principal/>'],
  ...['<C:calendar-home-set/>', '<C:supported-calendar-component-set/>'],
].join('');
const collectionBody = `${declaration}<propfind ${namespaces}><prop>${wanted}</prop></propfind>`;
const listBody = `${declaration}<propfind ${namespaces}><prop><getetag/><resourcetype/></prop></propfind>`;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string): string => text.replaceAll(/[&<>]/g, (char) => escapes[char]!);

/** Servers escape different characters of the same path. */
function normaliseUrl(href: string, base: string): string | undefined {
  const url = URL.parse(href, base);
  if (url === null) return undefined;
  try {
    url.pathname = url.pathname
      .split('/')
      .map((part) => encodeURIComponent(decodeURIComponent(part)))
      .join('/');
  } catch {
    return undefined;
  }
  return url.href;
}

/** Requests of WebDAV and CalDAV to one server, with the answers as plain values. */
export function createDavClient(
  { outbound, now, readText }: ConnectorDeps,
  login: { readonly user: string; readonly password: string },
) {
  const client = createServiceClient(outbound, now);
  const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;

  /** Undefined if the server answers with one of the accepted statuses. */
  async function ask(
    request: {
      readonly method: string;
      readonly url: string;
      readonly depth: string;
      readonly body: string;
      /** Statuses that mean that there is nothing to read, if the answer contains this text. */
      readonly accepted?: readonly number[];
      readonly containing?: string;
    },
    signal: AbortSignal,
  ): Promise<DavAnswer | undefined> {
    const { method, url, depth, body, accepted = [], containing = '' } = request;
    const { host } = new URL(url);
    const answer = await client.request(url, {
      method,
      headers: { authorization, depth, 'content-type': 'application/xml; charset=utf-8', 'user-agent': 'fourfold' },
      body,
      signal,
      accepted,
    });
    if (answer.status < 300 && answer.status !== 207)
      throw failed(`${host} did not answer as a CalDAV server (HTTP ${answer.status})`);
    if (answer.status !== 207) {
      if (answer.body.includes(containing)) return undefined;
      throw failed(explainStatus(answer.status, host));
    }
    const read = await readText(readMultistatusTask, answer.body.toString('utf8'), signal);
    if ('why' in read) throw failed(`the answer of ${host} is not as documented: ${read.why}`);
    const entries = read.resources.flatMap((resource): DavEntry[] => {
      const whole = normaliseUrl(resource.href, answer.url);
      return whole === undefined ? [] : [{ ...resource, url: whole }];
    });
    return { entries, syncToken: read.syncToken };
  }

  const expectAnswer = async (...request: Parameters<typeof ask>): Promise<DavAnswer> => (await ask(...request))!;

  return {
    /** Undefined if the server does not know the resource or the method. */
    findCollection: async (url: string, signal: AbortSignal): Promise<DavEntry | undefined> => {
      const accepted = [404, 405, 501];
      const answer = await ask({ method: 'PROPFIND', url, depth: '0', body: collectionBody, accepted }, signal);
      return answer?.entries[0];
    },
    listCollections: (url: string, signal: AbortSignal) =>
      expectAnswer({ method: 'PROPFIND', url, depth: '1', body: collectionBody }, signal),
    listMembers: (url: string, signal: AbortSignal) =>
      expectAnswer({ method: 'PROPFIND', url, depth: '1', body: listBody }, signal),
    /** What has changed since; undefined if the server no longer knows the token (RFC 6578). */
    async syncCollection(url: string, token: string, signal: AbortSignal): Promise<DavAnswer | undefined> {
      const body = `${declaration}<sync-collection ${namespaces}><sync-token>${escapeXml(token)}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`;
      const containing = 'valid-sync-token';
      return ask({ method: 'REPORT', url, depth: '0', body, accepted: [403, 409, 412], containing }, signal);
    },
    /** The contents of some members. */
    readMembers(url: string, members: readonly string[], signal: AbortSignal): Promise<DavAnswer> {
      const hrefs = members.map((member) => `<href>${escapeXml(new URL(member).pathname)}</href>`).join('');
      const body = `${declaration}<C:calendar-multiget ${namespaces}><prop><getetag/><C:calendar-data/></prop>${hrefs}</C:calendar-multiget>`;
      return expectAnswer({ method: 'REPORT', url, depth: '1', body }, signal);
    },
  };
}
export type DavClient = ReturnType<typeof createDavClient>;
