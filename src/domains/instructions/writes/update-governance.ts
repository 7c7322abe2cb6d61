import type { Call } from '#kernel/call.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { toProposed } from '../proposals/record-proposals.ts';
import { checkGovernance } from '../rules/check-write.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { findCycle } from '../rules/entry-graph.ts';
import { bumpVersion } from '../rules/version.ts';
import type { GovernanceUpdateAnswer } from '../tools/instructions-governance-update.ts';
import { withStepKey } from './idempotency.ts';
import { assertReadBack, cycleFault, mayDecide, rejectionFault, toCompleteContext } from './prepare-entry.ts';
import type { GovernancePatch, GovernanceUpdateInput } from './write-inputs.ts';
import type { WritesDeps } from './writes-deps.ts';

const step = 'governed';

const definedFields = (patch: GovernancePatch): Partial<InstructionEntry> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));

export function createGovernanceUpdate(deps: WritesDeps) {
  const { catalog, idempotency } = deps;

  function applyPatch(existing: InstructionEntry, input: GovernanceUpdateInput) {
    const { id: _id, patch: nested = {}, bump = 'none', ...flat } = input;
    const patch = { ...definedFields(nested), ...definedFields(flat) };
    const changedFields = Object.keys(patch).filter((key) => {
      const field = key as keyof GovernancePatch;
      return canonicalJson(patch[field]) !== canonicalJson(existing[field]);
    });
    if (changedFields.length === 0 && bump === 'none') return undefined;
    const version = bump === 'none' ? existing.version : bumpVersion(existing.version, bump);
    const context = toCompleteContext(deps, existing);
    const summary = changedFields.length === 0 ? 'version raised' : `governance: ${changedFields.join(', ')}`;
    const changeLog = [...existing.changeLog, { version, changedAt: context.now, summary }];
    // Approving counts as a review, unless the caller gives a date.
    const isApproval = patch.status === 'approved' && existing.status !== 'approved';
    const lastReviewedAt = patch.lastReviewedAt ?? (isApproval ? context.now : existing.lastReviewedAt);
    // Without a given status, it follows the requirement.
    const patched = { ...existing, ...patch, status: patch.status, lastReviewedAt, version, changeLog };
    return { changedFields, entry: completeEntry(patched, context) };
  }

  /** Answers for an earlier attempt that was interrupted after its commit. */
  async function answerCommitted(call: Call, input: GovernanceUpdateInput, { entry, etag }: CatalogEntry) {
    const { id, patch = {}, bump = 'none', ...flat } = input;
    // The key is known, so that this changes nothing but finishes an open journal row.
    const { hash } = await catalog.commit(withStepKey(call, step), [{ id, before: etag, after: entry }]);
    const { version, governanceHash, changeLog } = entry;
    const previousVersion = bump === 'none' ? version : (changeLog.at(-2)?.version ?? version);
    const changedFields = Object.keys({ ...definedFields(patch), ...definedFields(flat) });
    return { id, changed: true, previousVersion, newVersion: version, changedFields, governanceHash, hash };
  }

  async function update(call: Call, input: GovernanceUpdateInput): Promise<GovernanceUpdateAnswer> {
    const { id } = input;
    const { found } = await catalog.lookUp(call, id);
    const state = await catalog.state(call);
    if (found === undefined) return { id, notFound: true, changed: false, hash: state.hash };
    if (await idempotency.isDone(call, step)) return answerCommitted(call, input, found);
    const previousVersion = found.entry.version;
    const patched = applyPatch(found.entry, input);
    if (patched === undefined) {
      const { governanceHash } = found.entry;
      return {
        id,
        changed: false,
        previousVersion,
        newVersion: previousVersion,
        changedFields: [],
        governanceHash,
        hash: state.hash,
      };
    }
    const { entry, changedFields } = patched;
    const rejection = checkGovernance(entry);
    if (rejection !== undefined) throw rejectionFault(rejection);
    const cycle = findCycle(entry, (other) => state.find(other)?.entry);
    if (cycle !== undefined) throw cycleFault(cycle);
    const change = { id, before: found.etag, after: entry };
    if (!mayDecide(call)) {
      const unchanged = { previousVersion, newVersion: previousVersion, governanceHash: found.entry.governanceHash };
      const proposals = toProposed(await deps.propose(call, [change]));
      return { id, changed: false, ...unchanged, changedFields, hash: state.hash, ...proposals };
    }
    const after = await catalog.commit(withStepKey(call, step), [change]);
    assertReadBack(after, entry);
    deps.onMutation?.(call, { action: 'governanceUpdate', ids: [id] });
    return {
      id,
      changed: true,
      previousVersion,
      newVersion: entry.version,
      changedFields,
      governanceHash: entry.governanceHash,
      hash: after.hash,
    };
  }

  return (call: Call, input: GovernanceUpdateInput): Promise<GovernanceUpdateAnswer> =>
    idempotency.answerOnce(
      call,
      () => update(call, input),
      ({ notFound }) => notFound !== true,
    );
}
