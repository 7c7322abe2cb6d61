import type { TenantId } from '#kernel/call.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { truthLimits } from '../truth-limits.ts';
import type { Files } from './files.ts';

export const createFileJobs = (
  files: Pick<Files, 'sweep'>,
  tenants: () => Promise<readonly TenantId[]>,
): readonly PeriodicJob[] => [
  {
    name: 'sweep-files',
    everyMs: truthLimits.sweepEveryMs,
    async run(signal) {
      for (const tenant of await tenants()) {
        if (signal.aborted) return;
        await files.sweep(tenant, signal);
      }
    },
  },
];
