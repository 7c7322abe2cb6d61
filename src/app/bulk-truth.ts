import { randomBytes } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PayloadLine } from '#domains/truth/exchange/import-payloads.ts';
import type { SubmitInput } from '#domains/truth/payloads/submit-input.ts';
import type { Truth } from '#domains/truth/truth.ts';
import { type Call, type Caller, type TenantId, toTenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Permits } from '#kernel/tool/gate.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import { toFamilyFault } from '#kernel/tool/print-fault.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import { toFileFault } from './admin/file-faults.ts';
import { toOperatorCall } from './admin/operator-call.ts';
import { migrations } from './admin/store-schema.ts';

interface Whose {
  readonly tenant: string;
}

interface BulkRun {
  readonly signal: AbortSignal | undefined;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/** What of the app these commands use. */
export interface BulkTruthParts {
  readonly invoke: Invoke;
  readonly clock: Clock;
  readonly permits: Permits;
  readonly version: string;
  readonly storage: { opened(): Promise<Storage> };
  readonly truth: () => Promise<Pick<Truth, 'schemas' | 'records' | 'payloads'>>;
}

export const isTruthTable = (name: string): boolean => name.startsWith('truth_');

/** Entity type and version, as `company@1.1`. */
function toVersion(text: string): { readonly entity_type: string; readonly version: string } {
  const at = text.lastIndexOf('@');
  if (at < 1) throw faults.INVALID_PARAMS({ why: `"${text}" is no type and version: write company@1.1` });
  return { entity_type: text.slice(0, at), version: text.slice(at + 1) };
}

async function readJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(resolve(file), 'utf8').catch((error: unknown) => {
    throw toFileFault(error);
  });
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw faults.INVALID_PARAMS({ why: `${file} is no JSON` }, {}, { cause: error });
  }
}

/** The commands `truth export | import | rebuild | capabilities | schemas`, in the name of their caller, who names a tenant. */
export function createBulkTruth(parts: BulkTruthParts, caller: Caller) {
  const { invoke, clock, permits, version } = parts;

  function askAs(tenant: TenantId, signal: AbortSignal | undefined): Ask {
    return async (name, args) => {
      const asking = { ...caller, tenant };
      const outcome = await invoke({ name, args, caller: asking, ...(signal === undefined ? {} : { signal }) });
      if (!outcome.ok) throw toFamilyFault(outcome.card?.faultForm, outcome.fault);
      return outcome.value;
    };
  }
  const callOf = (tool: string, tenant: TenantId, { signal }: BulkRun): Call =>
    toOperatorCall({ tenant, actor: caller.actor, tool, clock, signal });

  async function rebuildFor(tenant: TenantId, check: boolean, run: BulkRun) {
    const { rebuild } = await import('#domains/truth/exchange/rebuild.ts');
    const [storage, { schemas, records }] = await Promise.all([parts.storage.opened(), parts.truth()]);
    const call = () => callOf('truth/rebuild', tenant, run);
    const report = await rebuild({ storage, schemas }, { check, call, progress: run.progress });
    if (!check) await records.rebuildIndexes(call());
    return report;
  }

  async function* linesOf(file: string): AsyncGenerator<PayloadLine> {
    const { readLines } = await import('./admin/transfer/read-lines.ts');
    const { truthLimits } = await import('#domains/truth/truth-limits.ts');
    try {
      for await (const { number, bytes } of readLines(file, truthLimits.lineBytes, true)) {
        const text = bytes.toString('utf8').trim();
        if (text !== '') yield { number, text };
      }
    } catch (error) {
      throw toFileFault(error);
    }
  }

  /** The tables of an export; undefined when the first line is no header of one. */
  async function exportedTables(file: string): Promise<readonly string[] | undefined> {
    for await (const { text } of linesOf(file)) {
      try {
        const { format, tables } = JSON.parse(text) as { format?: unknown; tables?: readonly { name: string }[] };
        return format === 'fourfold-export' ? (tables ?? []).map(({ name }) => name) : undefined;
      } catch {
        return undefined;
      }
    }
    return undefined;
  }

  async function importExport(file: string, tenant: TenantId, run: BulkRun) {
    const { importTenant } = await import('./admin/transfer/import-tenant.ts');
    const { recordDocuments } = await import('#domains/truth/records/record-documents.ts');
    const imported = await importTenant({
      storage: await parts.storage.opened(),
      migrations,
      clock,
      from: file,
      mode: 'skip',
      tenant,
      searched: [recordDocuments],
      actor: caller.actor,
      ...run,
    });
    const { read, written } = imported;
    return { file, rows: read, written, rebuilt: await rebuildFor(tenant, false, run) };
  }

  async function importFile(path: string, dryRun: boolean, tenant: TenantId, run: BulkRun): Promise<object> {
    const file = resolve(path);
    const tables = await exportedTables(file);
    if (tables === undefined) {
      const { importPayloads: importEnvelopes } = await import('#domains/truth/exchange/import-payloads.ts');
      const { payloads } = await parts.truth();
      const call = () => callOf('submit_payload', tenant, run);
      const submitMany = (inputs: readonly SubmitInput[]) =>
        payloads.submitMany(inputs, { ...call(), durability: 'soon' });
      const checkMany = (inputs: readonly SubmitInput[]) => payloads.checkMany(inputs, call());
      const flush = () => payloads.flush(call());
      if (!dryRun) (await parts.storage.opened()).prepareForBulk?.();
      return { file, ...(await importEnvelopes({ submitMany, checkMany, flush, ...run }, linesOf(file), { dryRun })) };
    }
    if (!tables.every(isTruthTable)) {
      throw faults.INVALID_PARAMS({ why: `${path} holds more than truth: take it in with \`fourfold import\`` });
    }
    return dryRun ? { file, tables: tables.length } : importExport(file, tenant, run);
  }

  const refuseReadOnly = (tool: string): void => {
    if (permits.readOnly) throw faults.READ_ONLY({ tool });
  };

  return {
    async export({ to, force, tenant }: { readonly to: string; readonly force: boolean } & Whose, run: BulkRun) {
      const { exportTenant } = await import('./admin/transfer/export-tenant.ts');
      const file = resolve(to);
      // What is there stays until the new one is whole.
      const made = force ? `${file}.${randomBytes(4).toString('hex')}.new` : file;
      const result = await exportTenant({
        storage: await parts.storage.opened(),
        migrations,
        clock,
        program: version,
        tenant: toTenantId(tenant),
        to: made,
        tables: isTruthTable,
        ...run,
      });
      if (force) await rename(made, file);
      return { ...result, file };
    },
    async import(
      { paths, dryRun, tenant }: { readonly paths: readonly string[]; readonly dryRun: boolean } & Whose,
      run: BulkRun,
    ) {
      if (!dryRun) refuseReadOnly('truth import');
      const files: object[] = [];
      for (const path of paths) files.push(await importFile(path, dryRun, toTenantId(tenant), run));
      return { dryRun, files };
    },
    async rebuild({ check, tenant }: { readonly check: boolean } & Whose, run: BulkRun) {
      if (!check) refuseReadOnly('truth rebuild');
      return rebuildFor(toTenantId(tenant), check, run);
    },
    async capabilities(
      {
        register,
        remove,
        tenant,
      }: { readonly register: string | undefined; readonly remove: string | undefined } & Whose,
      { signal }: BulkRun,
    ): Promise<object> {
      const ask = askAs(toTenantId(tenant), signal);
      if (register !== undefined) return ask('register_capability', await readJson(register));
      return remove === undefined ? ask('list_capabilities', {}) : ask('remove_capability', { capability_id: remove });
    },
    async schemas(
      {
        register,
        activate,
        tenant,
      }: { readonly register: string | undefined; readonly activate: string | undefined } & Whose,
      { signal }: BulkRun,
    ): Promise<object> {
      const ask = askAs(toTenantId(tenant), signal);
      if (register !== undefined) return ask('register_entity_schema', await readJson(register));
      return activate === undefined
        ? ask('list_entity_schemas', {})
        : ask('activate_entity_schema', toVersion(activate));
    },
  };
}
