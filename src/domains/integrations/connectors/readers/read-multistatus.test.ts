import { describe, expect, it } from 'vitest';
import { readMultistatus } from './read-multistatus.ts';

const answer = (body: string): string =>
  `<?xml version="1.0"?>\n<D:multistatus xmlns:D="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav">${body}</D:multistatus>\n`;
const resource = (prop: string): string =>
  `<D:response><D:href>/a%20b/1.ics</D:href><D:propstat><D:prop>${prop}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
   <D:propstat><D:prop><D:sync-token/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response>`;

describe('an answer about several resources', () => {
  it('names their properties, with characters decoded once', () => {
    const calendar = '<cal:calendar-data>A&#13;\nB &amp;lt; &lt;x&gt;\n</cal:calendar-data>';
    const prop = `<D:getetag>"1&amp;2"</D:getetag><D:displayname xml:lang="en">Ada</D:displayname>${calendar}`;
    expect(readMultistatus(answer(`${resource(prop)}<D:sync-token>http://x/1</D:sync-token>`))).toMatchObject({
      resources: [
        {
          href: '/a%20b/1.ics',
          status: 200,
          etag: '"1&2"',
          name: 'Ada',
          calendar: 'A\r\nB &lt; <x>\n',
          isCalendar: false,
        },
      ],
      syncToken: 'http://x/1',
    });
  });

  it('may have literal texts, other prefixes, and resources that are gone', () => {
    const literal = '<cal:calendar-data><![CDATA[A &amp; <B>]]></cal:calendar-data>';
    const type = '<D:resourcetype><D:collection/><cal:calendar/></D:resourcetype>';
    const events =
      '<cal:supported-calendar-component-set><cal:comp name="VTODO"/><cal:comp name="vevent"/></cal:supported-calendar-component-set>';
    const gone = '<D:response><D:href>/2</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>';
    const text = answer(resource(literal + type + events) + gone)
      .replaceAll('D:', '')
      .replace('xmlns:D=', 'xmlns=');
    expect(readMultistatus(text)).toMatchObject({
      resources: [
        { calendar: 'A &amp; <B>', isCalendar: true, hasEvents: true },
        { href: '/2', status: 404 },
      ],
    });
  });

  it('may be empty', () => {
    for (const text of [answer(''), '<multistatus xmlns="DAV:"/>'])
      expect(readMultistatus(text)).toEqual({ resources: [], syncToken: undefined });
  });

  const whole = answer(resource('<D:getetag>1</D:getetag>'));
  it.each([
    ['a web page', '<html><body/></html>', 'it is not a CalDAV server'],
    ['JSON', '{}', 'it is not a CalDAV server'],
    ['nothing', '', 'it is not a CalDAV server'],
    ['a text that ends', whole.slice(0, -20), 'its XML is broken'],
    ['a text that ends between elements', whole.slice(0, -'</D:multistatus>\n'.length), 'its XML is broken'],
    ['entities', `<!DOCTYPE a [<!ENTITY b "c">]>${whole}`, 'its XML has a document type'],
  ])('is not read from %s', (_name, text, why) => {
    expect(readMultistatus(text)).toEqual({ why });
  });
});
