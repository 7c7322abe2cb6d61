import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { CatalogState, EntryChange } from '../catalog/catalog.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { type Proposal, toProposedMany } from '../proposals/record-proposals.ts';
import { keepConfirmed } from '../rules/candidates.ts';
import { parseInput } from '../rules/check-write.ts';
import { canonicalise, sourceHashOf } from '../rules/derived-fields.ts';
import { mapEntry, originalId } from '../rules/map-entry.ts';
import type { ImportAnswer, ImportError, ImportInput } from '../tools/instructions-import.ts';
import { commitBatch } from './commit-changes.ts';
import { cycleFault, isUnchanged, mayDecide, prepareEntry } from './prepare-entry.ts';
import type { WritesDeps } from './writes-deps.ts';

const idOf = (raw: unknown): string | undefined => {
  const id = raw !== null && typeof raw === 'object' ? (raw as { readonly id?: unknown }).id : undefined;
  return typeof id === 'string' ? id.slice(0, instructionLimits.previewChars) : undefined;
};

interface PendingEntry {
  readonly index: number;
  readonly change: EntryChange & Pick<Proposal, 'given'>;
}

/** One running import: its counts, and the entries that are accepted but not committed. */
class ImportRun {
  imported = 0;
  skipped = 0;
  overwritten = 0;
  readonly errors: ImportError[] = [];
  readonly proposed: Proposal[] = [];
  readonly mapped: NonNullable<ImportAnswer['mapped']>[number][] = [];
  readonly #seen = new Set<string>();
  readonly #accepted = new Map<string, InstructionEntry>();
  readonly #deps: WritesDeps;
  readonly #call: Call;
  readonly #input: ImportInput;
  readonly #owners: ReadonlyMap<string, string>;
  /** The ids that existed when the request was first sent. */
  readonly #known: ReadonlySet<string>;
  /** By file name: such a file is never replaced. */
  readonly #problems: ReadonlyMap<string, string>;
  state: CatalogState;

  constructor(
    deps: WritesDeps,
    call: Call,
    input: ImportInput,
    owners: ReadonlyMap<string, string>,
    known: ReadonlySet<string>,
    state: CatalogState,
  ) {
    this.#deps = deps;
    this.#call = call;
    this.#input = input;
    this.#owners = owners;
    this.#known = known;
    this.#problems = new Map(state.problems.map(({ file, problem }) => [file, problem]));
    this.state = state;
  }

  /** Whether an earlier attempt of this request imported it. */
  #isOwn(id: string): boolean {
    return this.#call.idempotencyKey !== undefined && !this.#known.has(id);
  }

  fail(index: number, id: string | undefined, error: string, code: string): undefined {
    this.errors.push({ index, ...(id !== undefined && { id }), error, code });
    return undefined;
  }

  /** The change for one entry; undefined when there is nothing to write. */
  accept(index: number): PendingEntry | undefined {
    const given = this.#input.entries[index];
    const { canonicalOff } = this.#deps;
    const { raw, mapped, isForeign } = isObject(given) ? mapEntry(given) : { raw: given, mapped: [], isForeign: false };
    const reading = parseInput(raw, { canonicalOff, keepsUnknown: isForeign || !this.#input.validate });
    if ('rejection' in reading) return this.fail(index, idOf(raw), reading.rejection.error, reading.rejection.code);
    const found = this.state.find(reading.input.id);
    const existing = found?.entry;
    const input = keepConfirmed(reading.input, existing);
    const original = originalId(input);
    if (existing !== undefined && original !== undefined && originalId(existing) !== original) {
      return this.fail(
        index,
        input.id,
        `the id ${original} becomes ${input.id}, which another entry has`,
        'DUPLICATE_ID',
      );
    }
    if (this.#seen.has(input.id)) return this.fail(index, input.id, 'duplicate id in this import', 'DUPLICATE_ID');
    this.#seen.add(input.id);
    for (const field of mapped) this.mapped.push({ index, id: input.id, ...field });
    const problem = existing === undefined ? this.#problems.get(`${input.id}.json`) : undefined;
    if (problem !== undefined) {
      return this.fail(index, input.id, `unreadable file: ${input.id}.json: ${problem}`, 'VALIDATION_ERROR');
    }
    if (existing !== undefined && this.#input.mode === 'skip') {
      const hash = sourceHashOf(canonicalise(input.body, canonicalOff));
      if (this.#isOwn(input.id) && existing.sourceHash === hash) this.imported += 1;
      else this.skipped += 1;
      return undefined;
    }
    const { entry, rejection, cycle } = prepareEntry(this.#deps, {
      input,
      existing,
      isReplaced: this.#input.mode !== 'merge',
      owners: this.#owners,
      find: (id) => this.#accepted.get(id) ?? this.state.find(id)?.entry,
      isValidated: this.#input.validate,
      ...(isForeign && { writer: this.#deps.agentId ?? this.#call.actor }),
    });
    if (rejection !== undefined) return this.fail(index, input.id, rejection.error, rejection.code);
    if (cycle !== undefined) return this.fail(index, input.id, cycleFault(cycle).message, 'VALIDATION_ERROR');
    if (entry === undefined) return undefined;
    this.#accepted.set(entry.id, entry);
    if (found !== undefined && isUnchanged(found, entry)) {
      if (this.#isOwn(entry.id)) this.imported += 1;
      else this.overwritten += 1;
      return undefined;
    }
    return { index, change: { id: entry.id, before: found?.etag ?? null, after: entry, given: input } };
  }

  async commit(pending: readonly PendingEntry[]): Promise<void> {
    if (pending.length === 0) return;
    if (!mayDecide(this.#call)) {
      this.proposed.push(...pending.map(({ change }) => change));
      return;
    }
    const changes = pending.map(({ change }) => change);
    const { state, failed } = this.#input.dryRun
      ? { state: this.state, failed: [] }
      : await commitBatch(this.#deps.catalog, this.#call, changes);
    this.state = state;
    const faultOf = new Map(failed.map(({ id, fault }) => [id, fault]));
    for (const { index, change } of pending) {
      const fault = faultOf.get(change.id);
      if (fault !== undefined) {
        this.#accepted.delete(change.id);
        this.fail(index, change.id, fault.message, fault.code);
      } else if (change.before === null || this.#isOwn(change.id)) this.imported += 1;
      else this.overwritten += 1;
    }
    const ids = changes.map(({ id }) => id).filter((id) => !faultOf.has(id));
    if (ids.length > 0 && !this.#input.dryRun) this.#deps.onMutation?.(this.#call, { action: 'import', ids });
  }
}

export function createImport(deps: WritesDeps) {
  async function importAll(call: Call, input: ImportInput): Promise<ImportAnswer> {
    const startedAt = performance.now();
    const total = input.entries.length;
    if (total > instructionLimits.importEntriesCount) {
      throw faults.RESOURCE_LIMIT({ what: 'The import', limit: instructionLimits.importEntriesCount, unit: 'entries' });
    }
    const ids = input.entries.flatMap((raw) => idOf(raw) ?? []);
    const [owners, state] = await Promise.all([deps.owners(call, ids), deps.catalog.state(call)]);
    const existing = ids.filter((id) => state.find(id) !== undefined);
    const known = input.dryRun ? existing : await deps.idempotency.savePlan(call, existing);
    const run = new ImportRun(deps, call, input, owners, new Set(known), state);
    for (let at = 0; at < total; at += input.batchSize) {
      call.signal.throwIfAborted();
      const end = Math.min(at + input.batchSize, total);
      const pending: PendingEntry[] = [];
      for (let index = at; index < end; index += 1) {
        const taken = run.accept(index);
        if (taken !== undefined) pending.push(taken);
      }
      await run.commit(pending);
      call.progress(end, total);
    }
    const isProposed = run.proposed.length > 0 && !input.dryRun;
    const proposalIds = isProposed ? await deps.propose(call, run.proposed) : [];
    return {
      hash: run.state.hash,
      imported: run.imported,
      skipped: run.skipped,
      overwritten: run.overwritten,
      total,
      errors: run.errors.toSorted((a, b) => a.index - b.index),
      processingTimeMs: Math.round(performance.now() - startedAt),
      ...(run.mapped.length > 0 && {
        mappedCount: run.mapped.length,
        mapped: run.mapped.slice(0, instructionLimits.reportItemsCount),
      }),
      ...toProposedMany(proposalIds),
    };
  }

  return (call: Call, input: ImportInput): Promise<ImportAnswer> =>
    input.dryRun ? importAll(call, input) : deps.idempotency.answerOnce(call, () => importAll(call, input));
}
