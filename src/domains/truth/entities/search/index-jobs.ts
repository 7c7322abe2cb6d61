import type { TenantId } from '#kernel/call.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { forEachTenant } from '#kernel/jobs/tenants.ts';
import { truthLimits } from '../../truth-limits.ts';
import type { EntityDocuments } from './entity-documents.ts';

/** Indexes the entities of bulk writes, and those of a store that is older than the index. */
export const createIndexJobs = (
  documents: Pick<EntityDocuments, 'maintain'>,
  tenants: () => Promise<readonly TenantId[]>,
): readonly PeriodicJob[] => [
  {
    name: 'index-entities',
    everyMs: truthLimits.indexEveryMs,
    run: forEachTenant(tenants, documents.maintain),
  },
];
