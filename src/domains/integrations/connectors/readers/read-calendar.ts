import ICAL from 'ical.js';
import type { Json } from '#kernel/json/canonical.ts';
import type { RemoteItem, RemoteProblem } from '../connector.ts';
import { type EventTime, toEventTime } from './event-time.ts';

export interface CalendarEvent {
  readonly uid: string;
  /** The instance of a series that this event replaces; empty for the event itself. */
  readonly instance: string;
  readonly fields: RemoteItem['fields'];
}

/** `why` says why nothing could be read. */
export type ReadCalendarResult =
  | { readonly events: readonly CalendarEvent[]; readonly problems: readonly RemoteProblem[] }
  | { readonly why: string };

const dayMs = 86_400_000;

function readTimes(event: ICAL.Component, name: string): readonly EventTime[] {
  return event.getAllProperties(name).flatMap((property) => {
    const zone = property.getFirstParameter('tzid') || undefined;
    return (property.getValues() as unknown[]).map((value) =>
      toEventTime(value instanceof ICAL.Period ? value.start : (value as ICAL.Time), zone),
    );
  });
}

const readText = (event: ICAL.Component, name: string): string | undefined => {
  const value: unknown = event.getFirstPropertyValue(name);
  return typeof value === 'string' ? value.trim() || undefined : undefined;
};

/** `Ada Lovelace <ada@example.org>`, as far as it is known. */
function toPerson(property: ICAL.Property): string {
  const address = String(property.getFirstValue()).replace(/^mailto:/i, '');
  const name = property.getFirstParameter('cn');
  return name && name !== address ? `${name} <${address}>` : address;
}

function toAttendee(property: ICAL.Property): Json {
  const status = property.getFirstParameter('partstat');
  return { name: toPerson(property), ...(status && { status: status.toLowerCase() }) };
}

/** The last day of an event of whole days: the format names the day after it. */
const toLastDay = (text: string, first: string): string => {
  const last = new Date(Date.parse(text) - dayMs).toISOString().slice(0, 10);
  return last < first ? first : last;
};

function readEnd(event: ICAL.Component, start: EventTime): string | undefined {
  const end = readTimes(event, 'dtend')[0];
  if (end !== undefined) return end.isDay ? toLastDay(end.text, start.text) : end.text;
  const duration: unknown = event.getFirstPropertyValue('duration');
  if (!(duration instanceof ICAL.Duration)) return start.isDay ? start.text : undefined;
  const isUtc = start.text.endsWith('Z');
  const from = Date.parse(start.isDay || isUtc ? start.text : `${start.text}Z`);
  const text = new Date(from + duration.toSeconds() * 1_000).toISOString();
  if (start.isDay) return toLastDay(text.slice(0, 10), start.text);
  return isUtc ? text : text.slice(0, 19);
}

const textsOf = (times: readonly EventTime[]): string[] | undefined =>
  times.length === 0 ? undefined : times.map(({ text }) => text);

function toEvent(event: ICAL.Component, calendar: ICAL.Component): CalendarEvent {
  const uid = readText(event, 'uid');
  if (uid === undefined) throw new Error('it has no UID');
  const start = readTimes(event, 'dtstart')[0];
  if (start === undefined) throw new Error('it has no start');
  const instance = readTimes(event, 'recurrence-id')[0];
  const isCancelled = readText(calendar, 'method')?.toUpperCase() === 'CANCEL';
  const rules = event.getAllProperties('rrule').map((property) => String(property.getFirstValue()));
  const attendees = event.getAllProperties('attendee').map(toAttendee);
  const organizer = event.getFirstProperty('organizer');
  const tags = event.getAllProperties('categories').flatMap((property) => property.getValues().map(String));
  return {
    uid,
    instance: instance?.text ?? '',
    fields: {
      title: readText(event, 'summary'),
      date: start.text,
      end_date: readEnd(event, start),
      all_day: start.isDay,
      time_zone: start.zone,
      location: readText(event, 'location'),
      description: readText(event, 'description'),
      organizer: organizer ? toPerson(organizer) : undefined,
      attendees: attendees.length > 0 ? attendees : undefined,
      recurrence: rules.length > 0 ? rules.join('\n') : undefined,
      excluded_dates: textsOf(readTimes(event, 'exdate')),
      extra_dates: textsOf(readTimes(event, 'rdate')),
      replaces: instance?.text,
      status: isCancelled ? 'cancelled' : (readText(event, 'status')?.toLowerCase() ?? 'confirmed'),
      url: readText(event, 'url'),
      tags: tags.length > 0 ? tags : undefined,
      uid,
      calendar: readText(calendar, 'x-wr-calname'),
      updated_at: readTimes(event, 'last-modified')[0]?.text,
    },
  };
}

/** The events of a calendar in iCalendar form (RFC 5545). Runs in a process of its own, as every text from outside. */
export function readCalendar(text: string): ReadCalendarResult {
  let parsed: unknown[];
  try {
    parsed = ICAL.parse(text) as unknown[];
  } catch {
    const isCalendar = /^\s*BEGIN:VCALENDAR\b/i.test(text.slice(0, 200));
    return { why: isCalendar ? 'the calendar is broken, or ends in the middle' : 'it is not a calendar' };
  }
  // A file may have several calendars.
  const calendars = (Array.isArray(parsed[0]) ? parsed : [parsed]).map((one) => new ICAL.Component(one as unknown[]));
  if (calendars.length === 0 || calendars.some(({ name }) => name !== 'vcalendar'))
    return { why: 'it is not a calendar' };
  const events: CalendarEvent[] = [];
  const problems: RemoteProblem[] = [];
  for (const calendar of calendars)
    for (const event of calendar.getAllSubcomponents('vevent')) {
      try {
        events.push(toEvent(event, calendar));
      } catch (error) {
        const id = [readText(event, 'uid'), readText(event, 'summary')].find(Boolean) ?? 'an event without UID';
        problems.push({ id: id.slice(0, 300), why: (error as Error).message.slice(0, 300) });
      }
    }
  return { events, problems };
}
