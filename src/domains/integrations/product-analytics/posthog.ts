import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { QueryRange } from '../query-range.ts';
import { createQueryService, type ServiceDeps } from '../query-service.ts';
import { serviceFaultsOf } from './analytics-faults.ts';
import { toDay } from './analytics-limits.ts';
import type { AnalyticsSource, Filters } from './analytics-source.ts';

export interface PostHogDeps extends ServiceDeps {
  readonly project: string;
  readonly key: () => string;
}

type Values = Readonly<Record<string, string | number | boolean>>;

const serviceFaults = serviceFaultsOf('PostHog');

const date = z.iso.date();
const count = z.int().nonnegative();

/** HogQL answers 100 rows without a limit. */
const rowsMax = 50_000;

/** The first event called signup, as in our own events; every other event carries the name of its kind. */
const signups = `
  select person_id, min(timestamp) as signed_up from events where event = 'signup' group by person_id
  having signed_up >= toDateTime({start}) and signed_up < toDateTime({end})`;

const utcDay = (time: string): string => `toDate(toTimeZone(${time}, 'UTC'))`;

/** The texts and numbers of a caller are values of the query, never parts of its text. */
function toConditions(filters: Filters): { readonly text: string; readonly values: Values } {
  const entries = Object.entries(filters).map(([name, value], i) => ({ name, value, i }));
  return {
    text: entries.map(({ i }) => ` and properties[{filter_name_${i}}] = {filter_value_${i}}`).join(''),
    values: Object.fromEntries(
      entries.flatMap(({ name, value, i }) => [
        [`filter_name_${i}`, name],
        [`filter_value_${i}`, value],
      ]),
    ),
  };
}

/** With the zone: PostHog would read a time without one in the zone of the project. */
const toValues = ({ startMs, endMs }: QueryRange): Values => ({ start: toIso(startMs), end: toIso(endMs) });
const parseDay = (text: string): number => toDay(Date.parse(text));

/** PostHog's query API with HogQL. */
export function createPostHog({ project, key, ...service }: PostHogDeps): AnalyticsSource {
  const client = createQueryService(service, serviceFaults);
  const path = `api/projects/${encodeURIComponent(project)}/query/`;

  async function ask<Row>(query: string, values: Values, row: z.ZodType<Row>, call: Call): Promise<readonly Row[]> {
    const body = JSON.stringify({
      query: { kind: 'HogQLQuery', query: `${query.trim().replace(/\s+/g, ' ')} limit ${rowsMax}`, values },
    });
    const headers = { authorization: `Bearer ${key()}`, 'content-type': 'application/json' };
    const { status, json } = await client(path, { method: 'POST', headers, body }, call.signal);
    const answer = z.object({ results: z.array(row) }).safeParse(json).data;
    if (status !== 200 || answer === undefined)
      throw serviceFaults.failed(`the answer (status ${status}) is not a result`);
    return answer.results;
  }

  return {
    name: 'posthog',
    async retention({ range, filters, call }, widthDays, windowsCount, kind) {
      const conditions = toConditions(filters);
      const values = { ...toValues(range), ...conditions.values };
      const sized = await ask(
        `select toString(${utcDay('signed_up')}) as day, count() as users from (${signups}) group by day order by day`,
        toValues(range),
        z.tuple([date, count]),
        call,
      );
      const age =
        kind === undefined
          ? `dateDiff('day', ${utcDay('u.signed_up')}, ${utcDay('e.timestamp')})`
          : `intDiv(dateDiff('second', u.signed_up, e.timestamp), 86400)`;
      const returns = await ask(
        `select toString(${utcDay('u.signed_up')}) as day, intDiv(${age}, {width}) as step,
          count(distinct e.person_id) as users
        from events e join (${signups}) u on e.person_id = u.person_id
        where e.timestamp >= u.signed_up and ${age} < {width} * {windows}
          ${kind === undefined ? '' : 'and e.event = {kind}'}${conditions.text}
        group by day, step order by day, step`,
        { ...values, width: widthDays, windows: windowsCount, ...(kind !== undefined && { kind }) },
        z.tuple([date, count, count]),
        call,
      );
      const byDay = Map.groupBy(returns, ([day]) => day);
      return sized.map(([day, users]) => {
        const returned = Array.from({ length: windowsCount }, () => 0);
        for (const [, step, back] of byDay.get(day) ?? []) if (step < windowsCount) returned[step] = back;
        return { day: parseDay(day), users, returned };
      });
    },
    async activeUsers({ range, filters, call }, stepDays) {
      const conditions = toConditions(filters);
      const rows = await ask(
        `select intDiv(dateDiff('day', ${utcDay('toDateTime({start})')}, ${utcDay('timestamp')}), {step}) as step,
          count(distinct person_id) as users
        from events where timestamp >= toDateTime({start}) and timestamp < toDateTime({end})${conditions.text}
        group by step order by step`,
        { ...toValues(range), ...conditions.values, step: stepDays },
        z.tuple([count, count]),
        call,
      );
      return rows.map(([step, value]) => ({ day: toDay(range.startMs) + step * stepDays, value }));
    },
    async perUserAndWeek({ range, filters, call }, kind) {
      const conditions = toConditions(filters);
      const rows = await ask(
        `select intDiv(dateDiff('day', ${utcDay('toDateTime({start})')}, ${utcDay('timestamp')}), 7) as step,
          count() / count(distinct person_id) as average
        from events where event = {kind} and timestamp >= toDateTime({start}) and timestamp < toDateTime({end})${conditions.text}
        group by step order by step`,
        { ...toValues(range), ...conditions.values, kind },
        z.tuple([count, z.number().nonnegative()]),
        call,
      );
      return rows.map(([step, value]) => ({ day: toDay(range.startMs) + step * 7, value }));
    },
  };
}
