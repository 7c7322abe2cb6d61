import { useEffect, useState } from 'react';

const steps = [
  { unit: 'year', ms: 31_536_000_000 },
  { unit: 'month', ms: 2_592_000_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

const toRelative = (at: number, now: number): string => {
  const step = steps.find(({ ms }) => Math.abs(now - at) >= ms);
  return step === undefined ? 'just now' : relative.format(Math.round((at - now) / step.ms), step.unit);
};

interface TimeProps {
  readonly at: string | number;
  /** `day` shows the date instead of the distance from now. */
  readonly as?: 'relative' | 'day';
}

/** A moment in the reader's zone, with the exact one on hover. */
export function Time({ at, as = 'relative' }: TimeProps) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  const moment = new Date(at);
  // Years, months and unusual times stay as they were stated.
  if (Number.isNaN(moment.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={moment.toISOString()} title={`${exact.format(moment)} (${moment.toISOString()})`}>
      {as === 'day' ? day.format(moment) : toRelative(moment.getTime(), now)}
    </time>
  );
}
