import { resolve } from 'node:path';
import type { ExportOptions } from '#domains/notebooks/exchange/export-pads.ts';
import type { ImportOptions } from '#domains/notebooks/exchange/import-pads.ts';
import type { Pads } from '#domains/notebooks/pads/pads.ts';
import { type Caller, toTenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Permits } from '#kernel/tool/gate.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import { toFamilyFault } from '#kernel/tool/print-fault.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import { toOperatorCall } from './admin/operator-call.ts';

/** Whose scratchpads; without it, the caller's own. */
interface Whose {
  readonly tenant?: string | undefined;
}

interface BulkRun {
  readonly signal: AbortSignal | undefined;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/** What of the app these commands use. */
export interface BulkNotebooksParts {
  readonly invoke: Invoke;
  readonly clock: Clock;
  readonly permits: Permits;
  /** The trash has no tools: it is the operator's. */
  readonly pads: () => Promise<Pick<Pads, 'trashed' | 'restore'>>;
  readonly storage: Storage;
}

/** The commands `notebooks export | import | list | recount | trash | restore`, in the name of their caller, who may name a tenant. */
export function createBulkNotebooks({ invoke, clock, permits, pads, storage }: BulkNotebooksParts, caller: Caller) {
  const callerFor = (tenant: string | undefined): Caller =>
    tenant === undefined ? caller : { ...caller, tenant: toTenantId(tenant) };
  const askWithin = (signal: AbortSignal | undefined, tenant: string | undefined): Ask => {
    const asking = callerFor(tenant);
    return async (name, args) => {
      const outcome = await invoke({ name, args, caller: asking, ...(signal === undefined ? {} : { signal }) });
      if (!outcome.ok) throw toFamilyFault(outcome.card?.faultForm, outcome.fault);
      return outcome.value;
    };
  };
  const depsOf = ({ signal, progress }: BulkRun, tenant: string | undefined) => ({
    ask: askWithin(signal, tenant),
    signal,
    progress,
  });
  const callOf = (tool: string, { signal }: BulkRun, tenant: string | undefined) =>
    toOperatorCall({ tenant: callerFor(tenant).tenant, actor: caller.actor, tool, clock, signal });

  return {
    async export({ tenant, ...options }: ExportOptions & Whose, run: BulkRun) {
      const { exportPads } = await import('#domains/notebooks/exchange/export-pads.ts');
      return exportPads(depsOf(run, tenant), { ...options, to: resolve(options.to) });
    },
    async import({ tenant, ...options }: ImportOptions & Whose, run: BulkRun) {
      const { importPads } = await import('#domains/notebooks/exchange/import-pads.ts');
      return importPads(depsOf(run, tenant), { ...options, paths: options.paths.map((path) => resolve(path)) });
    },
    list(
      options: {
        readonly namespaces: readonly string[] | undefined;
        readonly tags: readonly string[] | undefined;
        readonly limit: number;
      } & Whose,
      run: BulkRun,
    ): Promise<object> {
      const { namespaces, tags, limit, tenant } = options;
      const given = { limit, ...(namespaces && { namespaces }), ...(tags && { tags }) };
      return askWithin(run.signal, tenant)('scratch_list', given);
    },
    async recount({ tenant }: Whose, run: BulkRun) {
      if (permits.readOnly) throw faults.READ_ONLY({ tool: 'notebooks recount' });
      const { findMiscounts, recount } = await import('#domains/notebooks/pads/recount.ts');
      const call = () => ({ ...callOf('notebooks/recount', run, tenant), audit: 'none' as const });
      const wrong = await findMiscounts(storage, call);
      await recount(storage, call);
      return { wrong };
    },
    async trash({ limit, tenant }: { readonly limit: number } & Whose, run: BulkRun) {
      if (limit < 1) throw faults.INVALID_PARAMS({ why: 'limit is at least 1' });
      return { scratchpads: await (await pads()).trashed({ limit }, callOf('notebooks/trash', run, tenant)) };
    },
    async restore(
      options: { readonly id: string; readonly as: string | undefined; readonly copy: string | undefined } & Whose,
      run: BulkRun,
    ) {
      if (permits.readOnly) throw faults.READ_ONLY({ tool: 'notebooks restore' });
      const { isScratchId } = await import('#domains/notebooks/exchange/pad-names.ts');
      const { id, as, copy, tenant } = options;
      if (as !== undefined && !isScratchId(as)) throw faults.INVALID_PARAMS({ why: `"${as}" cannot be a scratch_id` });
      const input = { scratch_id: id, as, pad_key: copy };
      return (await pads()).restore(input, callOf('notebooks/restore', run, tenant));
    },
  };
}
