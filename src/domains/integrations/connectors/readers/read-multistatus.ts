import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { decodeEntities } from '#kernel/markup/html-tags.ts';

/** What a WebDAV server says about one of its resources. */
export interface DavResource {
  /** As the server writes it: a path or a URL. */
  readonly href: string;
  /** 404 for one that is gone, 507 if the list was cut. */
  readonly status: number;
  readonly etag?: string | undefined;
  readonly syncToken?: string | undefined;
  readonly ctag?: string | undefined;
  readonly name?: string | undefined;
  readonly isCalendar: boolean;
  /** Undefined if the server does not say it. */
  readonly hasEvents?: boolean | undefined;
  readonly principal?: string | undefined;
  readonly home?: string | undefined;
  readonly calendar?: string | undefined;
}

export type ReadMultistatusResult =
  | { readonly resources: readonly DavResource[]; readonly syncToken: string | undefined }
  | { readonly why: string };

const lists: ReadonlySet<string> = new Set(['response', 'propstat', 'comp']);
const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // Decoded below: the parser does not know &#13;, which servers write for the line ends of calendars.
  processEntities: false,
  cdataPropName: 'cdata',
  isArray: (name) => lists.has(name),
});

/** An element with attributes is an object; the parts of its text may be literal. */
const content = z.union([
  z.string().transform(decodeEntities),
  z
    .object({ '#text': z.string().default(''), cdata: z.union([z.string(), z.array(z.string())]).default('') })
    .transform((parts) => [parts.cdata].flat().join('') + decodeEntities(parts['#text'])),
]);
const text = content
  .optional()
  .catch(undefined)
  .transform((value) => value?.trim() || undefined);
const oneHref = z.object({ href: text }).optional().catch(undefined);
const properties = z.object({
  getetag: text,
  'sync-token': text,
  getctag: text,
  displayname: text,
  resourcetype: z.object({ calendar: z.unknown() }).partial().optional().catch(undefined),
  'supported-calendar-component-set': z
    .object({ comp: z.array(z.object({ name: z.string().optional() })).optional() })
    .optional()
    .catch(undefined),
  'current-user-principal': oneHref,
  'calendar-home-set': oneHref,
  'calendar-data': content.optional().catch(undefined),
});
const response = z.object({
  href: text,
  status: text,
  propstat: z
    .array(z.object({ status: text, prop: properties.optional().catch(undefined) }))
    .optional()
    .catch(undefined),
});
const document = z.object({
  multistatus: z.union([
    z.literal('').transform(() => ({ response: undefined, 'sync-token': undefined })),
    z.object({ response: z.array(response).optional(), 'sync-token': text }),
  ]),
});

/** Of `HTTP/1.1 200 OK`. */
const toStatus = (line: string | undefined): number => Number(line?.split(' ')[1] ?? 200);

function toResource({ href = '', status, propstat = [] }: z.infer<typeof response>): DavResource {
  const found = propstat.find((one) => toStatus(one.status) < 300)?.prop;
  const components = found?.['supported-calendar-component-set']?.comp;
  return {
    href,
    status: status === undefined && found === undefined && propstat.length > 0 ? 403 : toStatus(status),
    etag: found?.getetag,
    syncToken: found?.['sync-token'],
    ctag: found?.getctag,
    name: found?.displayname,
    isCalendar: found?.resourcetype !== undefined && 'calendar' in found.resourcetype,
    hasEvents: components?.some(({ name }) => name?.toUpperCase() === 'VEVENT'),
    principal: found?.['current-user-principal']?.href,
    home: found?.['calendar-home-set']?.href,
    calendar: found?.['calendar-data'],
  };
}

/** The parser accepts a text that ends between two elements. */
function isComplete(xml: string): boolean {
  const end = xml.trimEnd().slice(-64);
  return /[/:]multistatus\s?>$/.test(end) || (end.endsWith('/>') && !xml.includes('response'));
}

/** A multi-status answer (RFC 4918, 4791, 6578). Runs in a process of its own, as every text from outside. */
export function readMultistatus(xml: string): ReadMultistatusResult {
  // No server needs one, and its entities can be huge.
  if (/<!DOCTYPE/i.test(xml)) return { why: 'its XML has a document type' };
  let parsed: unknown;
  try {
    parsed = parser.parse(xml);
  } catch {
    return { why: 'its XML is broken' };
  }
  const read = document.safeParse(parsed);
  if (!read.success) return { why: 'it is not a CalDAV server' };
  if (!isComplete(xml)) return { why: 'its XML is broken' };
  const { response: responses = [], 'sync-token': syncToken } = read.data.multistatus;
  return { resources: responses.map(toResource), syncToken };
}
