import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PayloadLine } from '#domains/truth/exchange/import-payloads.ts';
import type { TruthTransfer } from '#domains/truth/exchange/truth-transfer.ts';
import type { FileBlobs } from '#domains/truth/files/file-blobs.ts';
import type { Tombstones } from '#domains/truth/forgetting/tombstones.ts';
import type { SubmitInput } from '#domains/truth/payloads/payload-model.ts';
import type { CreatedTruth } from '#domains/truth/truth.ts';
import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import { toFileFault } from './admin/file-faults.ts';
import { version } from './toolsets.ts';

export interface TruthTransferDeps {
  readonly clock: Clock;
  readonly storage: { opened(): Promise<Storage> };
  readonly fileBlobs: FileBlobs;
  readonly tombstones?: Pick<Tombstones, 'macOf'> | undefined;
  readonly truth: Pick<CreatedTruth, 'schemas' | 'records' | 'payloads'> &
    Partial<Pick<CreatedTruth, 'entityDocuments'>>;
}

export const isTruthTable = (name: string): boolean => name.startsWith('truth_');

/** The deadline of a bulk call limits one access to the store, so each access reads it again. */
const renew = (call: Call): Call => ({ ...call, deadlineAt: call.deadlineAt });

export function createTruthTransfer({
  clock,
  storage,
  fileBlobs,
  truth,
  tombstones,
}: TruthTransferDeps): TruthTransfer {
  async function rebuildFor(check: boolean, call: Call) {
    const { rebuild } = await import('#domains/truth/exchange/rebuild.ts');
    const { schemas, records } = truth;
    const deps = { storage: await storage.opened(), schemas };
    // What a bulk write has left for later is not missing.
    await truth.entityDocuments?.deriveNames(renew(call));
    const report = await rebuild(deps, { check, call: () => renew(call), progress: call.progress });
    if (!check) await records.rebuildIndexes(renew(call));
    if (!check) await truth.entityDocuments?.rebuild(renew(call));
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

  /** The tables of an export; undefined if the first line is not an export header. */
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

  async function importExport(file: string, call: Call) {
    const { importTenant } = await import('./admin/transfer/import-tenant.ts');
    const { recordDocuments } = await import('#domains/truth/records/record-documents.ts');
    const { entityDocuments } = await import('#domains/truth/entities/search/entity-collection.ts');
    const imported = await importTenant({
      storage: await storage.opened(),
      migrations,
      clock,
      from: file,
      mode: 'skip',
      tenant: call.tenant,
      fileBlobs,
      searched: [recordDocuments, entityDocuments],
      tombstones,
      actor: call.actor,
      signal: call.signal,
      progress: call.progress,
    });
    const { read, written, files = 0 } = imported;
    return { file, rows: read, written, restoredFiles: files, rebuilt: await rebuildFor(false, call) };
  }

  async function importFile(path: string, dryRun: boolean, call: Call): Promise<Readonly<Record<string, unknown>>> {
    const file = resolve(path);
    const tables = await exportedTables(file);
    if (tables === undefined) {
      const { importPayloads } = await import('#domains/truth/exchange/import-payloads.ts');
      const { payloads } = truth;
      const submitCall = (): Call => ({ ...renew(call), tool: 'submit_payload' });
      const submitMany = (inputs: readonly SubmitInput[]) =>
        payloads.submitMany(inputs, { ...submitCall(), durability: 'soon' });
      const checkMany = (inputs: readonly SubmitInput[]) => payloads.checkMany(inputs, submitCall());
      const flush = () => payloads.flush(submitCall());
      if (!dryRun) (await storage.opened()).prepareForBulk?.();
      const deps = { submitMany, checkMany, flush, signal: call.signal, progress: call.progress };
      return { file, ...(await importPayloads(deps, linesOf(file), { dryRun })) };
    }
    if (!tables.every(isTruthTable)) {
      throw faults.INVALID_PARAMS({ why: `${path} holds more than truth: take it in with \`fourfold import\`` });
    }
    return dryRun ? { file, tables: tables.length } : importExport(file, call);
  }

  return {
    async export({ to, force }, call) {
      const { exportTenant } = await import('./admin/transfer/export-tenant.ts');
      const file = resolve(to);
      // An existing file is replaced only when the new one is complete.
      const target = force ? `${file}.${randomBytes(4).toString('hex')}.new` : file;
      const { file: _target, ...exported } = await exportTenant({
        storage: await storage.opened(),
        migrations,
        clock,
        program: version,
        tenant: call.tenant,
        to: target,
        fileBlobs,
        tables: isTruthTable,
        signal: call.signal,
        progress: call.progress,
      });
      if (force) await rename(target, file);
      return { file, ...exported };
    },
    import: importFile,
    rebuild: rebuildFor,
  };
}
