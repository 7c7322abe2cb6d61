import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { engines } from '../truth/truth-program.fixture.ts';
import { anEvent, toCalendar } from './calendar.fixture.ts';
import { openConnected, stats } from './connected-program.fixture.ts';
import { brokenTransports, startService } from './service-double.fixture.ts';

describe.each(engines)('[IG92] a published calendar, on %s', (engine) => {
  it('is followed: new, changed, cancelled and missing events, each once', async () => {
    const home = await openConnected(engine);
    let events = [
      anEvent('a', 'LOCATION:Room 1'),
      anEvent('b', 'RRULE:FREQ=YEARLY'),
      ['UID:b', 'SUMMARY:Once', 'RECURRENCE-ID:21000701T100000Z', 'DTSTART:21000702T100000Z'],
      anEvent('past', 'DTSTART:20200101T100000Z', 'DURATION:PT1H'),
    ];
    const tag = () => `"${events.flat().join()}"`;
    const service = await startService(({ headers }) =>
      headers['if-none-match'] === tag()
        ? { status: 304, body: '' }
        : { headers: { 'content-type': 'text/calendar; charset=utf-8', etag: tag() }, body: toCalendar(...events) },
    );
    await home.ask('connectors', 'add', 'ics', `${service.url}/team.ics`);
    expect(await home.sync('ics')).toMatchObject({ status: 'completed', stats: stats(4) });
    expect(await home.sync('ics')).toMatchObject({ status: 'completed', stats: stats(0) });
    expect(service.seen.at(-1)!.headers['if-none-match']).toBe(tag());

    events = [anEvent('a', 'LOCATION:Room 2'), anEvent('b', 'RRULE:FREQ=YEARLY', 'STATUS:CANCELLED'), anEvent('c')];
    // One page of few items, and the rest.
    expect(await home.sync('ics', '--limit', '2', '--max-pages', '1')).toMatchObject({ stats: stats(0, 2) });
    expect(await home.sync('ics', '--limit', '2')).toMatchObject({ status: 'completed', stats: stats(1, 1) });
    const found = await home.items('event', 'title');
    expect(found['Event a']).toMatchObject({ location: 'Room 2', status: 'confirmed' });
    expect(found['Event b']).toMatchObject({ status: 'cancelled', recurrence: 'FREQ=YEARLY' });
    expect(found['Once']).toMatchObject({ status: 'removed', replaces: '2100-07-01T10:00:00.000Z' });
    // It is over: calendars often leave such events out.
    expect(found['Event past']).toMatchObject({ status: 'confirmed' });
    expect(await home.sync('ics')).toMatchObject({ stats: stats(0) });
    const { events: dated } = await home.ask<{ events: readonly { event_type: string }[] }>(
      ...['list', 'timeline', 'events', '--after-date', '2099-01-01', '--before-date', '2099-12-31'],
    );
    expect(dated.map(({ event_type }) => event_type)).toContain('event_date');
  });
});

describe('[IG92] a calendar file', () => {
  it('is read from this machine too, and again when it has changed', async () => {
    const home = await openConnected();
    const file = join(home.folder, 'team.ics');
    writeFileSync(file, toCalendar(anEvent('a'), ['UID:b', 'SUMMARY:No start'], anEvent('a', 'LOCATION:Twice')));
    await home.ask('connectors', 'add', 'ics', file);
    expect(await home.sync('ics')).toMatchObject({
      stats: stats(1, 0, 1),
      problems: [{ id: 'b', why: 'it has no start' }],
    });
    writeFileSync(file, toCalendar(anEvent('a', 'LOCATION:Here')));
    expect(await home.sync('ics')).toMatchObject({ stats: stats(0, 1) });
    rmSync(file);
    expect(await home.sync('ics')).toMatchObject({ status: 'failed', error: { code: 'NOT_FOUND' } });
    expect((await home.run('connectors', 'add', 'ics', file)).stderr).toContain('NOT_FOUND');
    expect((await home.run('connectors', 'add', 'ics')).stderr).toContain('pass the address or file');
  });

  it('that is broken ends the sync with its reason, and stores nothing', async () => {
    const home = await openConnected();
    const whole = toCalendar(anEvent('a'));
    const service = await startService(() => ({ body: whole }));
    await home.ask('connectors', 'add', 'ics', service.url);
    await home.expectReasons(service, 'ics', [
      ...brokenTransports,
      ['a web page', /it is not a calendar/, { headers: { 'content-type': 'text/html' }, body: '<html></html>' }],
      ['half a calendar', /ends in the middle/, { body: whole.slice(0, -30) }],
      ['half a list', /ends in the middle/, { body: whole.slice(0, -15) }],
      ['nothing', /it is not a calendar/, { body: '' }],
      ['JSON', /it is not a calendar/, { body: {} }],
    ]);
    expect(await home.items('event', 'title')).toEqual({});
    expect(await home.sync('ics')).toMatchObject({ status: 'completed', stats: stats(1) });
  });

  it('of Google is connected by its secret address, which is shown nowhere', async () => {
    const home = await openConnected();
    home.guard('private-0123456789abcdef');
    const service = await startService(() => ({ body: toCalendar(anEvent('a')) }));
    const address = `${service.url}/calendar/ical/ada/private-0123456789abcdef/basic.ics`;
    await home.ask('connectors', 'add', 'google-calendar', '--secret-file', home.secretFile(address));
    expect(await home.sync('google-calendar')).toMatchObject({ status: 'completed', stats: stats(1) });
    service.answerNext({ status: 404, body: '' });
    expect(await home.sync('google-calendar')).toMatchObject({ status: 'failed' });
    await home.call('connectors_list');
    const wrong = await home.run('connectors', 'add', 'google-calendar', '--secret-file', home.secretFile('private'));
    expect(wrong.stderr).toContain('is not the address of a calendar');
    expect((await home.run('connectors', 'add', 'google-calendar')).stderr).toContain('the secret address');
  });
});
