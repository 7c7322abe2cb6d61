import type ICAL from 'ical.js';

/** Minutes and seconds count too: zones had odd offsets in the past. */
function offsetMs(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
  return shown - Math.floor(at / 1_000) * 1_000;
}

/** The moment at which clocks in a zone show this local time, given as if it were UTC; undefined for an unknown zone. */
function fromZone(local: number, zone: string): number | undefined {
  try {
    // The offset before a change of the clocks may differ from the one after it.
    const first = local - offsetMs(zone, local);
    return local - offsetMs(zone, first);
  } catch {
    return undefined;
  }
}

export interface EventTime {
  /** A day, a moment in UTC, or a local time without zone. */
  readonly text: string;
  readonly isDay: boolean;
  readonly zone: string | undefined;
}

/** Throws if it is not an existing time. */
export function toEventTime(time: ICAL.Time, zone: string | undefined): EventTime {
  if (time.isDate) return { text: time.toString(), isDay: true, zone: undefined };
  const local = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  const known = time.zone?.tzid;
  let at: number | undefined;
  if (known === 'UTC') at = local;
  // The calendar defines the zone itself.
  else if (known !== undefined && known !== 'floating') at = time.toUnixTime() * 1_000;
  else if (zone !== undefined) at = fromZone(local, zone);
  const text = new Date(at ?? local).toISOString();
  return { text: at === undefined ? text.slice(0, 19) : text, isDay: false, zone };
}
