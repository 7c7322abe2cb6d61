import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { QueryRange } from '../query-range.ts';
import { createQueryService, type ServiceDeps } from '../query-service.ts';
import { serviceFaultsOf } from './analytics-faults.ts';
import { toDay } from './analytics-limits.ts';
import type { AnalyticsSource, Filters, SignupDay } from './analytics-source.ts';

export interface MixpanelDeps extends ServiceDeps {
  readonly project: string;
  /** Of a service account. */
  readonly user: string;
  readonly secret: () => string;
}

const serviceFaults = serviceFaultsOf('Mixpanel');

const count = z.int().nonnegative();
const retention = z.record(z.iso.date(), z.object({ first: count, counts: z.array(count) }));
const segmentation = z.object({
  data: z.object({ values: z.record(z.string(), z.record(z.iso.date(), z.number().nonnegative())) }),
});

const toDate = (atMs: number): string => toIso(atMs).slice(0, 10);
const parseDay = (text: string): number => toDay(Date.parse(text));

/** An expression of Mixpanel; JSON escapes texts as it expects them. */
const toWhere = (filters: Filters): Readonly<Record<string, string>> => {
  const parts = Object.entries(filters).map(
    ([name, value]) => `properties[${JSON.stringify(name)}] == ${JSON.stringify(value)}`,
  );
  return parts.length === 0 ? {} : { where: parts.join(' and ') };
};

/** Mixpanel's query API. Dates are in the time zone of the project. */
export function createMixpanel({ project, user, secret, ...service }: MixpanelDeps): AnalyticsSource {
  const client = createQueryService(service, serviceFaults);

  async function ask<T>(
    path: string,
    { startMs, endMs }: QueryRange,
    form: Readonly<Record<string, string>>,
    shape: z.ZodType<T>,
    call: Call,
  ): Promise<T> {
    const authorization = `Basic ${Buffer.from(`${user}:${secret()}`).toString('base64')}`;
    const range = { project_id: project, from_date: toDate(startMs), to_date: toDate(endMs - 1) };
    const question = new URLSearchParams({ ...range, ...form }).toString();
    const { status, json } = await client(
      `${path}?${question}`,
      { headers: { authorization, accept: 'application/json' } },
      call.signal,
    );
    const answer = shape.safeParse(json).data;
    if (status !== 200 || answer === undefined)
      throw serviceFaults.failed(`the answer (status ${status}) is not a result`);
    return answer;
  }

  return {
    name: 'mixpanel',
    async retention({ range, filters, call }, widthDays, windowsCount, kind): Promise<readonly SignupDay[]> {
      const form = {
        retention_type: 'birth',
        born_event: 'signup',
        ...(kind !== undefined && { event: kind }),
        interval: String(widthDays),
        interval_count: String(windowsCount),
        ...toWhere(filters),
      };
      const days = await ask('retention', range, form, retention, call);
      return Object.entries(days)
        .map(([date, { first, counts }]) => ({ day: parseDay(date), users: first, returned: counts }))
        .sort((a, b) => a.day - b.day);
    },
    /** Of recurring retention, `first` are the users who did anything on that date. */
    async activeUsers({ range, filters, call }, stepDays) {
      const form = {
        retention_type: 'compounded',
        unit: stepDays === 1 ? 'day' : 'week',
        interval_count: '1',
        ...toWhere(filters),
      };
      const steps = await ask('retention', range, form, retention, call);
      return Object.entries(steps)
        .map(([date, { first }]) => ({ day: parseDay(date), value: first }))
        .sort((a, b) => a.day - b.day);
    },
    async perUserAndWeek({ range, filters, call }, kind) {
      const form = { event: kind, type: 'average', unit: 'week', ...toWhere(filters) };
      const { data } = await ask('segmentation', range, form, segmentation, call);
      return Object.entries(data.values[kind] ?? {})
        .map(([date, value]) => ({ day: parseDay(date), value }))
        .sort((a, b) => a.day - b.day);
    },
  };
}
