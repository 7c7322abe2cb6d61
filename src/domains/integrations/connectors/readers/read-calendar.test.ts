import { describe, expect, it } from 'vitest';
import { readCalendar } from './read-calendar.ts';

const calendar = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: readonly string[]): string =>
  ['BEGIN:VEVENT', 'UID:one@example.org', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'].join('\r\n');

function eventsOf(text: string) {
  const result = readCalendar(text);
  if ('why' in result) throw new Error(result.why);
  return result;
}
const fieldsOf = (...lines: readonly string[]) => eventsOf(calendar(event(...lines))).events[0]!.fields;

const ownZone = [
  ...['BEGIN:VTIMEZONE', 'TZID:Office time', 'BEGIN:STANDARD', 'DTSTART:19701025T030000', 'TZOFFSETFROM:+0200'],
  ...['TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', 'END:STANDARD', 'BEGIN:DAYLIGHT'],
  ...['DTSTART:19700329T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
  ...['END:DAYLIGHT', 'END:VTIMEZONE'],
];

describe('an event of a calendar', () => {
  it('has title, place, people, text and status', () => {
    const fields = fieldsOf(
      ...['DTSTART:20260701T100000Z', 'DTEND:20260701T113000Z', 'SUMMARY:Lunch\\, late', 'LOCATION:Room 1'],
      ...['DESCRIPTION:Line one\\nline', '  two', 'ORGANIZER;CN=Ada:MAILTO:ada@example.org', 'CATEGORIES:food,team'],
      ...['ATTENDEE;CN="Bo, B.";PARTSTAT=ACCEPTED:mailto:bo@example.org', 'ATTENDEE:mailto:cy@example.org'],
      ...['STATUS:TENTATIVE', 'URL:https://example.org/1', 'LAST-MODIFIED:20260102T000000Z'],
    );
    expect(fields).toMatchObject({
      ...{ title: 'Lunch, late', location: 'Room 1', description: 'Line one\nline two', status: 'tentative' },
      ...{ date: '2026-07-01T10:00:00.000Z', end_date: '2026-07-01T11:30:00.000Z', all_day: false },
      ...{ organizer: 'Ada <ada@example.org>', tags: ['food', 'team'], url: 'https://example.org/1' },
      attendees: [{ name: 'Bo, B. <bo@example.org>', status: 'accepted' }, { name: 'cy@example.org' }],
      ...{ uid: 'one@example.org', updated_at: '2026-01-02T00:00:00.000Z' },
    });
  });

  it.each([
    ['a known zone in summer', 'DTSTART;TZID=Europe/Berlin:20260701T100000', '2026-07-01T08:00:00.000Z'],
    ['a known zone in winter', 'DTSTART;TZID=America/New_York:20260101T100000', '2026-01-01T15:00:00.000Z'],
    ['the hour before clocks change', 'DTSTART;TZID=Europe/Berlin:20260329T013000', '2026-03-29T00:30:00.000Z'],
    ['the hour after clocks change', 'DTSTART;TZID=Europe/Berlin:20260329T033000', '2026-03-29T01:30:00.000Z'],
    ['a zone of the calendar', 'DTSTART;TZID=Office time:20260701T100000', '2026-07-01T08:00:00.000Z'],
    ['an unknown zone', 'DTSTART;TZID=Mars/Base:20260701T100000', '2026-07-01T10:00:00'],
    ['no zone', 'DTSTART:20260701T100000', '2026-07-01T10:00:00'],
  ])('has its start in UTC: %s', (_name, line, date) => {
    expect(eventsOf(calendar(...ownZone, event(line))).events[0]!.fields['date']).toBe(date);
  });

  it('of whole days has its first and last day', () => {
    const day = (...more: readonly string[]) => fieldsOf('DTSTART;VALUE=DATE:20260701', ...more);
    expect(day('DTEND;VALUE=DATE:20260704')).toMatchObject({
      ...{ date: '2026-07-01', end_date: '2026-07-03', all_day: true },
    });
    expect(day()).toMatchObject({ date: '2026-07-01', end_date: '2026-07-01' });
    expect(day('DURATION:P2D')).toMatchObject({ end_date: '2026-07-02' });
    expect(day('DTEND;VALUE=DATE:20260601')).toMatchObject({ end_date: '2026-07-01' });
  });

  it('may have a duration instead of an end', () => {
    expect(fieldsOf('DTSTART:20260701T100000Z', 'DURATION:PT1H30M')['end_date']).toBe('2026-07-01T11:30:00.000Z');
    expect(fieldsOf('DTSTART:20260701T100000', 'DURATION:PT1H')['end_date']).toBe('2026-07-01T11:00:00');
    expect(fieldsOf('DTSTART:20260701T100000Z')['end_date']).toBeUndefined();
  });

  it('of a series is one event with its rule; changed instances are events of their own', () => {
    const { events } = eventsOf(
      calendar(
        event('DTSTART:20260701T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=5', 'EXDATE:20260708T100000Z,20260715T100000Z'),
        event('RECURRENCE-ID:20260722T100000Z', 'DTSTART:20260722T120000Z', 'SUMMARY:Later'),
        event('RECURRENCE-ID:20260729T100000Z', 'DTSTART:20260729T100000Z', 'STATUS:CANCELLED'),
      ),
    );
    expect(events).toMatchObject([
      {
        instance: '',
        fields: {
          recurrence: 'FREQ=WEEKLY;COUNT=5',
          excluded_dates: ['2026-07-08T10:00:00.000Z', '2026-07-15T10:00:00.000Z'],
        },
      },
      { instance: '2026-07-22T10:00:00.000Z', fields: { title: 'Later', replaces: '2026-07-22T10:00:00.000Z' } },
      { instance: '2026-07-29T10:00:00.000Z', fields: { status: 'cancelled' } },
    ]);
  });

  it('is cancelled if its calendar is the message of a cancellation', () => {
    expect(eventsOf(calendar('METHOD:CANCEL', event('DTSTART:20260701T100000Z'))).events[0]!.fields).toMatchObject({
      status: 'cancelled',
    });
  });

  it('that cannot be read is named, and the others are kept', () => {
    const { events, problems } = eventsOf(
      calendar(
        event('DTSTART:nonsense'),
        event('SUMMARY:No start'),
        ...['BEGIN:VEVENT', 'SUMMARY:No id', 'DTSTART:20260701T100000Z', 'END:VEVENT'],
        ...['BEGIN:VTODO', 'UID:todo', 'END:VTODO'],
        event('DTSTART:20260701T100000Z'),
      ),
    );
    expect(events).toHaveLength(1);
    expect(problems).toMatchObject([
      { id: 'one@example.org' },
      { id: 'one@example.org', why: 'it has no start' },
      { id: 'No id', why: 'it has no UID' },
    ]);
  });
});

describe('a calendar', () => {
  const whole = calendar(event('DTSTART:20260701T100000Z'));

  it('may be empty, or several in one file', () => {
    expect(eventsOf(calendar())).toEqual({ events: [], problems: [] });
    expect(eventsOf(whole + whole).events).toHaveLength(2);
  });

  it.each([
    ['a web page', '<!doctype html><html></html>', 'it is not a calendar'],
    ['nothing', '', 'it is not a calendar'],
    ['a contact', 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nEND:VCARD\r\n', 'it is not a calendar'],
    ['a text that ends', whole.slice(0, -20), 'the calendar is broken, or ends in the middle'],
    ['a text that ends between events', whole.slice(0, -15), 'the calendar is broken, or ends in the middle'],
  ])('is not read from %s', (_name, text, why) => {
    expect(readCalendar(text)).toEqual({ why });
  });
});
