import { integrationFaults } from '#domains/integrations/integration-faults.ts';
import { plaidFaults } from '#domains/integrations/plaid/plaid-faults.ts';
import { analyticsFaults } from '#domains/integrations/product-analytics/analytics-faults.ts';
import { metricFaults } from '#domains/integrations/technical-metrics/metric-faults.ts';
import { knowledgeFaults } from '#domains/knowledge/knowledge-faults.ts';
import { notebookFaults } from '#domains/notebooks/notebook-faults.ts';
import { truthFaults } from '#domains/truth/truth-faults.ts';
import { accessFaults } from '#kernel/access/access-faults.ts';
import { cliFaults } from '#kernel/fault/cli-faults.ts';
import { type FaultKind, type FaultMaker, faultKinds } from '#kernel/fault/fault.ts';
import { httpFaults } from '#kernel/fault/http-faults.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { outboundFaults } from '#kernel/outbound/outbound-faults.ts';
import { pathFaults } from '#kernel/paths/allowed-roots.ts';
import { databaseFaults } from '#kernel/storage/database-faults.ts';
import { postgresFaults } from '#kernel/storage/postgres/errors.ts';
import { workerFaults } from '#kernel/workers/worker-faults.ts';
import { adminFaults } from './admin/admin-faults.ts';

type FaultTable = Readonly<Record<string, FaultMaker<never>>>;

const tables: readonly FaultTable[] = [
  faults,
  httpFaults,
  cliFaults,
  accessFaults,
  outboundFaults,
  pathFaults,
  databaseFaults,
  postgresFaults,
  workerFaults,
  integrationFaults,
  knowledgeFaults,
  notebookFaults,
  truthFaults,
  plaidFaults,
  metricFaults,
  analyticsFaults,
  adminFaults,
];

/** All faults, sorted by code. A code in two tables is a bug. */
export function allFaults(from: readonly FaultTable[] = tables): readonly FaultKind[] {
  const kinds = new Map<string, FaultKind>();
  for (const kind of from.flatMap(faultKinds)) {
    if (kinds.has(kind.code)) throw new Error(`the fault ${kind.code} is registered twice`);
    kinds.set(kind.code, kind);
  }
  return [...kinds.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}
