import { describe, expect, it } from 'vitest';
import { radicalePackage } from '#tests/support/radicale.ts';
import { engines } from '../truth/truth-program.fixture.ts';
import { anEvent, openCalendars } from './calendar.fixture.ts';
import { type Connected, openConnected, stats } from './connected-program.fixture.ts';
import type { EngineName } from './connector-program.fixture.ts';
import { brokenTransports, startService } from './service-double.fixture.ts';

const password = 'S3cretOfTheCalendar';
const reason = radicalePackage.reason ?? '';

async function connect(engine: EngineName = 'SQLite', names?: readonly string[], ...more: readonly string[]) {
  const home = await openConnected(engine);
  home.guard(password, Buffer.from(`ada:${password}`).toString('base64'));
  const server = await openCalendars(password, names);
  const add = (...words: readonly string[]) =>
    home.run('connectors', 'add', 'caldav', ...words, '--secret-file', home.secretFile(password));
  await server.put('first');
  const added = await add(server.url, '--user', 'ada', ...more);
  if (added.code !== 0) throw new Error(added.stderr);
  return { home, server, add };
}

describe.skipIf(reason !== '').each(engines)(`[IG93] calendars at a CalDAV server, on %s ${reason}`, (engine) => {
  it('are followed: new, changed, cancelled and deleted events, each once', async () => {
    const { home, server } = await connect(engine);
    await server.put('trip', [
      anEvent(
        'trip',
        'DTSTART;VALUE=DATE:20990701',
        'DTEND;VALUE=DATE:20990704',
        'LOCATION:Oslo',
        'ORGANIZER:mailto:ada@example.org',
      ),
    ]);
    expect(await home.sync('caldav')).toMatchObject({ status: 'completed', stats: stats(2) });
    expect((await home.items('event', 'title'))['Event trip']).toMatchObject({
      ...{ date: '2099-07-01', end_date: '2099-07-03', all_day: true, location: 'Oslo', status: 'confirmed' },
      ...{ organizer: 'ada@example.org', calendar: 'My work', provider: 'caldav', uid: 'trip' },
    });
    expect(await home.sync('caldav')).toMatchObject({ status: 'completed', stats: stats(0) });

    await server.put('trip', [anEvent('trip', 'LOCATION:Bergen')]);
    await server.put('first', [anEvent('first', 'STATUS:CANCELLED')]);
    await server.put('third');
    expect(await home.sync('caldav')).toMatchObject({ status: 'completed', stats: stats(1, 2) });
    await server.delete('trip');
    expect(await home.sync('caldav')).toMatchObject({ status: 'completed', stats: stats(0, 1) });
    const events = await home.items('event', 'title');
    expect(events['Event trip']).toMatchObject({ status: 'removed', location: 'Bergen', all_day: false });
    expect(events['Event first']).toMatchObject({ status: 'cancelled' });
    expect(Object.keys(events)).toHaveLength(3);

    await server.put('trip', [anEvent('trip', 'LOCATION:Bergen')]);
    expect(await home.sync('caldav')).toMatchObject({ stats: stats(0, 1) });
    expect((await home.items('event', 'title'))['Event trip']).toMatchObject({ status: 'confirmed' });
    expect(await home.sync('caldav', '--sync-type', 'initial')).toMatchObject({ stats: stats(0) });
  });

  it('are read completely after the server has forgotten the token, with what was deleted meanwhile', async () => {
    const { home, server } = await connect(engine);
    await server.put('second');
    expect(await home.sync('caldav')).toMatchObject({ stats: stats(2) });
    await server.delete('second');
    await server.put('third');
    server.expireTokens();
    expect(await home.sync('caldav')).toMatchObject({ status: 'completed', stats: stats(1, 1) });
    expect((await home.items('event', 'title'))['Event second']).toMatchObject({ status: 'removed' });
  });
});

describe.skipIf(reason !== '')(`[IG93] calendars at a CalDAV server ${reason}`, () => {
  it('come in page by page, and a sync of few pages goes on in the next', async () => {
    const { home, server } = await connect('SQLite', ['work', 'home']);
    for (const uid of ['b', 'c', 'd']) await server.put(uid);
    await server.put('e', undefined, 'home');
    expect(await home.sync('caldav', '--limit', '1', '--max-pages', '2')).toMatchObject({ stats: stats(2), pages: 2 });
    // Changed after it was read, and before the sync went on.
    await server.put('b', [anEvent('b', 'LOCATION:Here')]);
    await server.delete('first');
    const rest = await home.sync('caldav', '--limit', '2');
    expect(rest).toMatchObject({ status: 'completed' });
    await home.sync('caldav');
    const events = await home.items('event', 'title');
    expect(Object.keys(events).sort()).toEqual(['Event b', 'Event c', 'Event d', 'Event e', 'Event first']);
    expect(events['Event b']).toMatchObject({ location: 'Here' });
    expect(events['Event first']).toMatchObject({ status: 'removed' });
    expect(events['Event e']).toMatchObject({ calendar: 'My home' });
    expect(await home.sync('caldav')).toMatchObject({ stats: stats(0) });
  });

  it('keep a series as one event, and changed instances as events of their own', async () => {
    const { home, server } = await connect();
    const series = anEvent('series', 'RRULE:FREQ=DAILY;COUNT=9', 'DTSTART;TZID=Europe/Berlin:20990701T100000');
    const moved = [
      'UID:series',
      'RECURRENCE-ID;TZID=Europe/Berlin:20990703T100000',
      'DTSTART:20990703T120000Z',
      'SUMMARY:Moved',
    ];
    await server.put('series', [series, moved]);
    expect(await home.sync('caldav')).toMatchObject({ stats: stats(3) });
    const events = await home.items('event', 'title');
    expect(events['Event series']).toMatchObject({
      ...{ recurrence: 'FREQ=DAILY;COUNT=9', date: '2099-07-01T08:00:00.000Z', time_zone: 'Europe/Berlin' },
    });
    expect(events['Moved']).toMatchObject({ replaces: '2099-07-03T08:00:00.000Z', date: '2099-07-03T12:00:00.000Z' });
    await server.put('series', [series]);
    expect(await home.sync('caldav')).toMatchObject({ stats: stats(0, 1) });
    expect((await home.items('event', 'title'))['Moved']).toMatchObject({ status: 'removed' });
  });

  it('are chosen by name, and only the account may read them', async () => {
    const { home, server, add } = await connect('SQLite', ['work', 'home'], '--parts', 'My work');
    await server.put('e', undefined, 'home');
    expect(await home.sync('caldav')).toMatchObject({ stats: stats(1) });
    expect((await add(server.url, '--user', 'ada', '--parts', 'sport')).stderr).toContain(
      'no calendar is called sport',
    );
    expect((await add(server.url, '--user', 'eve')).stderr).toContain('refuses the login (HTTP 401)');
    expect((await add(server.url)).stderr).toContain('pass your user name');
    expect((await add(server.url, '--user', 'a:b')).stderr).toContain('no colon');
    const none = await home.run('connectors', 'add', 'caldav', server.url, '--user', 'ada');
    expect(none.stderr).toContain('it needs the password');
    // The address of one calendar works too.
    const one = await home.ask<{ connector_id: string }>(
      ...[
        'connectors',
        'add',
        'caldav',
        `${server.url}/ada/home/`,
        '--user',
        'ada',
        '--secret-file',
        home.secretFile(password),
      ],
    );
    expect(await home.sync('caldav', '--connector-id', one.connector_id)).toMatchObject({ stats: stats(1) });
  });
});

describe('[IG93] a CalDAV server that is broken', () => {
  const multistatus = (body: string) => ({
    ...{ status: 207, headers: { 'content-type': 'application/xml' } },
    body: `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${body}</d:multistatus>`,
  });
  const found = (href: string, prop: string) =>
    `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${prop}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
  const aCalendar = (token: string) =>
    multistatus(found('/plans/', `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>${token}`));

  const addPlans = (home: Connected, url: string) =>
    home.ask(
      ...['connectors', 'add', 'caldav', `${url}/plans/`, '--user', 'ada'],
      '--secret-file',
      home.secretFile(password),
    );

  it('ends the sync with its reason, and stores nothing', async () => {
    const home = await openConnected();
    home.guard(password);
    const service = await startService(({ method }) =>
      method === 'PROPFIND'
        ? aCalendar('<d:sync-token>t</d:sync-token>')
        : multistatus('<d:sync-token>t</d:sync-token>'),
    );
    await addPlans(home, service.url);
    const whole = aCalendar('').body;
    await home.expectReasons(service, 'caldav', [
      ...brokenTransports,
      ['a web page', /did not answer as a CalDAV server \(HTTP 200\)/, { body: '<html></html>' }],
      ['half an answer', /is not as documented: its XML is broken/, { status: 207, body: whole.slice(0, -10) }],
      ['a web page as XML', /it is not a CalDAV server/, { status: 207, body: '<html><body/></html>' }],
      ['JSON', /it is not a CalDAV server/, { status: 207, body: '{}' }],
      ['entities', /has a document type/, { status: 207, body: `<!DOCTYPE m [<!ENTITY a "b">]>${whole}` }],
      ['a missing calendar', /has no calendars at this address/, { status: 404, body: '' }],
      [
        'calendars at another server',
        /connect http:\/\/10\.0\.0\.1\/home\/ instead/,
        multistatus(found('/', '<c:calendar-home-set><d:href>http://10.0.0.1/home/</d:href></c:calendar-home-set>')),
      ],
    ]);
    const other = await startService(() => aCalendar('<d:sync-token>u</d:sync-token>'));
    const location = `${other.url}/plans/`;
    await home.expectReasons(service, 'caldav', [
      ['a redirect to another server', /at another server; connect http/, { status: 307, headers: { location } }],
    ]);
    expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    // The list is never complete, and the next part begins at the same place.
    service.answerNext(aCalendar('<d:sync-token>u</d:sync-token>'));
    const cut =
      '<d:response><d:href>/plans/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>';
    for (let n = 0; n < 3; n += 1) service.answerNext(multistatus(`${cut}<d:sync-token>v</d:sync-token>`));
    const looped = await home.sync('caldav');
    expect(looped.error?.message).toContain('the same page again and again');
    expect(await home.sync('caldav')).toMatchObject({ status: 'completed', stats: stats(0) });
  });

  it('may have no tokens: a changed tag of the calendar shows that something changed', async () => {
    const home = await openConnected();
    const data = (uid: string) =>
      `<c:calendar-data>BEGIN:VCALENDAR&#13;\nBEGIN:VEVENT&#13;\nUID:${uid}&#13;\nSUMMARY:Event ${uid} &amp; more&#13;\nDTSTART:20990101T000000Z&#13;\nEND:VEVENT&#13;\nEND:VCALENDAR&#13;\n</c:calendar-data>`;
    let [tag, files, unread] = ['1', ['a', 'b@c'], ['']];
    const service = await startService(({ method, headers, body }) => {
      if (method === 'PROPFIND' && headers.depth === '0')
        return aCalendar(`<getctag xmlns="http://calendarserver.org/ns/">${tag}</getctag>`);
      if (method === 'PROPFIND')
        return multistatus(
          [
            found('/plans/', ''),
            ...files.map((name) => found(`/plans/${name}.ics`, `<d:getetag>"${tag}"</d:getetag>`)),
          ].join(''),
        );
      const readable = files.filter((name) => !unread.includes(name));
      const asked = readable.filter((name) => body.includes(`${encodeURIComponent(name)}.ics`));
      return multistatus(asked.map((name) => found(`/plans/${encodeURIComponent(name)}.ics`, data(name))).join(''));
    });
    await addPlans(home, service.url);
    unread = ['a'];
    expect(await home.sync('caldav')).toMatchObject({
      ...{ status: 'completed', stats: stats(1, 0, 1) },
      problems: [{ id: `${service.url}/plans/a.ics`, why: 'the server lists it, and does not return it' }],
    });
    unread = [];
    expect(await home.sync('caldav')).toMatchObject({ status: 'completed', stats: stats(1) });
    const count = service.seen.length;
    expect(await home.sync('caldav')).toMatchObject({ status: 'completed', stats: stats(0) });
    expect(service.seen).toHaveLength(count + 1);
    [tag, files] = ['2', ['b@c', 'd']];
    expect(await home.sync('caldav')).toMatchObject({ status: 'completed', stats: stats(1, 1) });
    const events = await home.items('event', 'title');
    expect(events['Event a & more']).toMatchObject({ status: 'removed' });
    expect(events['Event d & more']).toMatchObject({ status: 'confirmed' });
  });
});
