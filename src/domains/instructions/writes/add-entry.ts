import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { CatalogEntry, CatalogState } from '../catalog/catalog.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { toProposed } from '../proposals/record-proposals.ts';
import { describeAppearance } from '../rules/applicability.ts';
import { changedFieldsOf } from '../rules/changed-fields.ts';
import { checkComplete, isStructural, parseInput, type WriteRejection } from '../rules/check-write.ts';
import type { AddAnswer } from '../tools/instructions-add.ts';
import { withStepKey } from './idempotency.ts';
import { assertReadBack, cycleFault, isUnchanged, mayDecide, prepareEntry } from './prepare-entry.ts';
import { type AddInput, type AddOptions, inputSchema, toRawEntry } from './write-inputs.ts';
import type { WritesDeps } from './writes-deps.ts';

const flatHint = 'Put the instruction into "entry": { "entry": { "id": …, "body": … } }; the flat form was accepted.';

const alreadyExists = 'already exists';
const doesNotExist = 'does not exist';
const appearsWhenApproved = 'nowhere until the proposal is approved';

/** Helps to reproduce the failure, without the whole body. */
function toRepro(raw: unknown): NonNullable<AddAnswer['reproEntry']> {
  if (raw === null || typeof raw !== 'object') return {};
  const { id, body } = raw as { readonly id?: unknown; readonly body?: unknown };
  return {
    ...(typeof id === 'string' && { id: id.slice(0, instructionLimits.previewChars) }),
    ...(typeof body === 'string' && { bodyPreview: body.slice(0, instructionLimits.previewChars) }),
  };
}

function hintFor({ error, missing, code }: WriteRejection): string {
  const report = 'If this looks wrong, send feedback/submit with reproEntry.';
  if (missing !== undefined && missing[0] !== 'entry' && missing[0] !== 'id' && missing[0] !== 'body') {
    return `Add ${missing.join(', ')}, or set lax: true to use defaults. ${report}`;
  }
  if (error === alreadyExists) return 'Strict create is on: set overwrite: true to change the entry.';
  if (error === doesNotExist) return 'Strict create is on: leave out overwrite and replace to add the entry.';
  if (code === 'INVALID_ID') {
    return `An id is 1 to 120 characters of a-z, 0-9, - and _, beginning and ending with a letter or digit. ${report}`;
  }
  return isStructural({ error: '', code }) ? `Compare the entry with schema. ${report}` : report;
}

const nothingDone = { created: false, overwritten: false, skipped: false, verified: false } as const;

function failure(rejection: WriteRejection, raw: unknown): AddAnswer {
  return {
    ...nothingDone,
    error: rejection.error,
    ...(rejection.missing !== undefined && { missing: rejection.missing }),
    feedbackHint: hintFor(rejection),
    reproEntry: toRepro(raw),
    ...(isStructural(rejection) && { schema: inputSchema() }),
  };
}

const success = (
  state: CatalogState,
  entry: InstructionEntry,
  did: 'created' | 'overwritten' | 'skipped',
  before?: InstructionEntry,
): AddAnswer => ({
  id: entry.id,
  hash: state.hash,
  created: did === 'created',
  overwritten: did === 'overwritten',
  skipped: did === 'skipped',
  verified: true,
  sourceHash: entry.sourceHash,
  governanceHash: entry.governanceHash,
  version: entry.version,
  status: entry.status,
  ...(before !== undefined && { changedFields: changedFieldsOf(before, entry) }),
  appears: describeAppearance(entry),
});

/** Somebody else has changed or removed what the caller edited. */
function checkBase(id: string, found: CatalogEntry | undefined, base: string | undefined): void {
  if (base === undefined || base === found?.etag || base === found?.entry.sourceHash) return;
  const why = found === undefined ? 'was removed' : 'was changed';
  const fix = `Compare it with instructions/get {"id": "${id}"}, then write again with its present base.`;
  throw faults.CONFLICT({ why: `${id} ${why} since you read it` }, { id, ...(found && { etag: found.etag }), fix });
}

export function createAdd(deps: WritesDeps) {
  const { catalog, idempotency } = deps;

  async function write(
    call: Call,
    input: InstructionInput,
    found: CatalogEntry | undefined,
    { lax, replace }: AddOptions,
    raw: unknown,
  ): Promise<AddAnswer> {
    const existing = found?.entry;
    const [owners, state] = await Promise.all([deps.owners(call, [input.id]), catalog.state(call)]);
    const find = (id: string) => state.find(id)?.entry;
    const draft = { input, existing, isReplaced: replace, owners, find, isValidated: true };
    const writer = lax ? { writer: deps.agentId ?? call.actor } : {};
    const { entry, rejection, cycle } = prepareEntry(deps, { ...draft, ...writer });
    if (rejection !== undefined) return failure(rejection, raw);
    if (cycle !== undefined) throw cycleFault(cycle);
    if (entry === undefined) throw new Error('bug: neither an entry nor a reason');
    // Nothing changed, so nothing is written.
    if (found !== undefined && isUnchanged(found, entry))
      return success(state, found.entry, 'overwritten', found.entry);
    const did = existing === undefined ? 'created' : 'overwritten';
    const change = { id: entry.id, before: found?.etag ?? null, after: entry };
    if (!mayDecide(call)) {
      const proposals = toProposed(await deps.propose(call, [{ ...change, given: input }]));
      return { id: entry.id, hash: state.hash, ...nothingDone, appears: appearsWhenApproved, ...proposals };
    }
    const after = await catalog.commit(withStepKey(call, did), [change]);
    assertReadBack(after, entry);
    deps.onMutation?.(call, { action: 'add', ids: [entry.id] });
    return success(after, entry, did, existing);
  }

  /** Answers for an earlier attempt of this request that was interrupted after its commit. */
  async function answerCommitted(call: Call, { entry, etag }: CatalogEntry): Promise<AddAnswer | undefined> {
    for (const did of ['created', 'overwritten'] as const) {
      if (!(await idempotency.isDone(call, did))) continue;
      // The key is known, so that this changes nothing but finishes an open journal row.
      return success(
        await catalog.commit(withStepKey(call, did), [{ id: entry.id, before: etag, after: entry }]),
        entry,
        did,
      );
    }
    return undefined;
  }

  async function decide(call: Call, input: InstructionInput, options: AddOptions, raw: unknown): Promise<AddAnswer> {
    const { found, problem } = await catalog.lookUp(call, input.id);
    if (problem !== undefined) {
      return failure({ error: `unreadable file: ${problem.file}: ${problem.problem}`, code: 'VALIDATION_ERROR' }, raw);
    }
    const done = found === undefined ? undefined : await answerCommitted(call, found);
    if (done !== undefined) return done;
    checkBase(input.id, found, options.base);
    if (found !== undefined && !options.overwrite) {
      if (deps.strictCreate) return failure({ error: alreadyExists, code: 'VALIDATION_ERROR' }, raw);
      return success(await catalog.state(call), found.entry, 'skipped');
    }
    if (found === undefined && options.overwrite && deps.strictCreate) {
      return failure({ error: doesNotExist, code: 'VALIDATION_ERROR' }, raw);
    }
    const incomplete = options.lax ? undefined : checkComplete(input, options.replace ? undefined : found?.entry);
    return incomplete === undefined ? write(call, input, found, options, raw) : failure(incomplete, raw);
  }

  async function add(call: Call, given: AddInput): Promise<AddAnswer> {
    const { raw, isFlat, options } = toRawEntry(given);
    const reading = parseInput(raw, { canonicalOff: deps.canonicalOff });
    if ('rejection' in reading) {
      if (reading.rejection.code !== 'RESOURCE_LIMIT') return failure(reading.rejection, raw);
      throw faults.RESOURCE_LIMIT({ what: 'The body', limit: instructionLimits.bodyChars, unit: 'characters' });
    }
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await decide(call, reading.input, options, raw);
        return isFlat ? { ...answer, hint: flatHint } : answer;
      } catch (error) {
        // Another writer was faster: decide again from the new state.
        const isConflict = error instanceof Fault && error.code === 'CONFLICT';
        if (!isConflict || tries >= instructionLimits.conflictRetriesCount) throw error;
      }
    }
  }

  return (call: Call, given: AddInput): Promise<AddAnswer> =>
    idempotency.answerOnce(
      call,
      () => add(call, given),
      ({ error }) => error === undefined,
    );
}
