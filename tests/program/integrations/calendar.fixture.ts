import { onTestFinished } from 'vitest';
import { makeFolder } from '#tests/support/program.ts';
import { startRadicale } from '#tests/support/radicale.ts';

/** The text of a calendar with one or more events, each a list of lines. */
export const toCalendar = (...events: readonly (readonly string[])[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN'],
    ...events.flatMap((lines) => ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']),
    ...['END:VCALENDAR', ''],
  ].join('\r\n');

export const anEvent = (uid: string, ...lines: readonly string[]): readonly string[] => [
  ...[`UID:${uid}`, `SUMMARY:Event ${uid}`],
  ...(lines.some((line) => line.startsWith('DTSTART')) ? [] : ['DTSTART:20990701T100000Z', 'DTEND:20990701T110000Z']),
  ...lines,
];

/** A CalDAV server with an account and calendars. Ends with the test. */
export async function openCalendars(password: string, names: readonly string[] = ['work']) {
  const { folder, remove } = makeFolder();
  const server = await startRadicale(folder, 'ada', password);
  onTestFinished(async () => {
    await server.stop();
    remove();
  });
  const toBody = (name: string) =>
    `<C:mkcalendar xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><set><prop><displayname>My ${name}</displayname></prop></set></C:mkcalendar>`;
  for (const name of names) await server.send('MKCALENDAR', `/ada/${name}/`, toBody(name));
  const pathOf = (uid: string, calendar: string) => `/ada/${calendar}/${uid}.ics`;
  return {
    ...server,
    /** All events of one file have the same UID. */
    put: (uid: string, events: readonly (readonly string[])[] = [anEvent(uid)], calendar = names[0]!) =>
      server.send('PUT', pathOf(uid, calendar), toCalendar(...events)),
    delete: (uid: string, calendar = names[0]!) => server.send('DELETE', pathOf(uid, calendar)),
  };
}
