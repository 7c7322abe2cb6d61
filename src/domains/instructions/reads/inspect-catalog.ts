import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { CatalogEntry, CatalogState } from '../catalog/catalog.ts';
import { runInBatches } from '../catalog/time-slices.ts';
import { type InstructionEntry, instructionEntry, schemaVersion } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { isReviewOverdue } from '../rules/activity-filter.ts';
import { canonicalise, entryGovernanceHash, projectionOf, sourceHashOf } from '../rules/derived-fields.ts';
import type { InspectInput, InspectResult } from '../tools/instructions-inspect.ts';
import { categoriesIn, findMapped } from './describe-catalog.ts';
import { lookUpEntry } from './get-entry.ts';
import { governanceHashIn } from './governance-hash.ts';
import { type ReadsDeps, withUsage } from './reads-deps.ts';

type InspectData = InspectResult['data'];
type Facts = Readonly<Record<string, unknown>>;

type CountedField = 'status' | 'requirement' | 'priorityTier' | 'owner' | 'classification';

async function countBy(entries: readonly InstructionEntry[], key: CountedField, signal: AbortSignal): Promise<Facts> {
  const counts = new Map<string, number>();
  await runInBatches(entries, signal, (part) => {
    for (const { [key]: value } of part) counts.set(value, (counts.get(value) ?? 0) + 1);
  });
  return Object.fromEntries(counts);
}

async function inspectWholeCatalog(deps: ReadsDeps, call: Call): Promise<InspectData> {
  const [state, files] = await Promise.all([deps.catalog.state(call), deps.catalog.files(call)]);
  const { entries, problems } = state;
  return {
    raw: { hash: state.hash, count: state.count },
    normalized: {
      categories: (await categoriesIn(state, call.signal)).length,
      statuses: await countBy(entries, 'status', call.signal),
      requirements: await countBy(entries, 'requirement', call.signal),
      tiers: await countBy(entries, 'priorityTier', call.signal),
    },
    validation: {
      valid: problems.length === 0,
      problemCount: problems.length,
      problems: problems.slice(0, instructionLimits.reportItemsCount),
      ...findMapped(entries),
    },
    metadata: { schemaVersion, lastModified: state.lastModified ?? null, version: deps.version },
    filesystem: { filesCount: files.length, totalBytes: files.reduce((sum, { bytes }) => sum + bytes, 0) },
  };
}

function validate({ entry, recordedHash = entry.sourceHash }: CatalogEntry): Facts {
  const { error } = instructionEntry.safeParse(entry);
  const actual = sourceHashOf(entry.body);
  const issues = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return {
    valid: issues.length === 0 && actual === recordedHash,
    issues,
    isCanonical: canonicalise(entry.body, false) === entry.body,
    sourceHash: { expected: recordedHash, actual },
    governanceHash: { expected: entry.governanceHash, actual: entryGovernanceHash(entry) },
  };
}

async function inspectInstruction(deps: ReadsDeps, call: Call, id: string): Promise<InspectData | MissingEntry> {
  const { found, lateMaterialized, problem } = await lookUpEntry(deps, call, id);
  const file = found?.file ?? `${id}.json`;
  if (found === undefined) {
    return { notFound: true, filesystem: problem === undefined ? { exists: false } : { exists: true, ...problem } };
  }
  const count = (await deps.usage.countsOf(call, [id])).get(id);
  const { entry, etag } = found;
  return {
    raw: entry,
    normalized: withUsage(entry, count),
    validation: validate(found),
    metadata: {
      ...findMapped([entry]),
      etag,
      priorityTier: entry.priorityTier,
      riskScore: entry.riskScore,
      reviewOverdue: isReviewOverdue(entry, deps.clock.now()),
      governance: projectionOf(entry),
    },
    filesystem: { exists: true, file, lateMaterialized },
  };
}

interface MissingEntry {
  readonly notFound: true;
  readonly filesystem: Facts;
}

async function inspectGovernance(deps: ReadsDeps, call: Call): Promise<InspectData> {
  const state = await deps.catalog.state(call);
  const now = deps.clock.now();
  const shorten = (entries: readonly InstructionEntry[]) =>
    entries.slice(0, instructionLimits.reportItemsCount).map(({ id }) => id);
  const overdue: InstructionEntry[] = [];
  const unowned: InstructionEntry[] = [];
  await runInBatches(state.entries, call.signal, (part) => {
    for (const entry of part) {
      if (isReviewOverdue(entry, now)) overdue.push(entry);
      if (entry.owner === 'unowned') unowned.push(entry);
    }
  });
  return {
    raw: {
      governanceHash: await governanceHashIn(state, deps.govTrailingNewline, call.signal),
      count: state.count,
    },
    normalized: {
      tiers: await countBy(state.entries, 'priorityTier', call.signal),
      owners: await countBy(state.entries, 'owner', call.signal),
      classifications: await countBy(state.entries, 'classification', call.signal),
    },
    validation: { overdueCount: overdue.length, overdue: shorten(overdue), unownedCount: unowned.length },
    metadata: { algorithm: 'sha256', trailingNewline: deps.govTrailingNewline, unowned: shorten(unowned) },
    filesystem: {},
  };
}

/** Of one rule: all and open signals, the newest comments, and who got it. */
async function recordsOf({ records }: ReadsDeps, call: Call, state: CatalogState, id: string): Promise<Facts> {
  const entry = state.find(id)?.entry;
  const remarks = await records.remarksOf(call, entry === undefined ? [] : [entry], instructionLimits.keptRemarksCount);
  const { signals: open = {}, comments = [] } = remarks.get(id) ?? {};
  return {
    signals: { open, total: await records.signalTotals(call, id) },
    comments,
    served: (await records.servedTo(call, id)) ?? null,
  };
}

/** Which rules were served most, and which approved ones never. */
async function summariseServed(records: ReadsDeps['records'], call: Call, state: CatalogState) {
  const served = (await records.servedRules(call)).filter(({ id }) => state.find(id) !== undefined);
  const servedIds = new Set(served.map(({ id }) => id));
  const never: string[] = [];
  await runInBatches(state.entries, call.signal, (part) => {
    for (const { id, status } of part) if (status === 'approved' && !servedIds.has(id)) never.push(id);
  });
  const cut = <T>(all: readonly T[]): readonly T[] => all.slice(0, instructionLimits.reportItemsCount);
  return { servedCount: served.length, most: cut(served), neverCount: never.length, never: cut(never) };
}

/** Titles by id; an unknown id has none. */
export async function findTitles(
  { catalog }: ReadsDeps,
  ids: readonly string[],
  call: Call,
): Promise<ReadonlyMap<string, string>> {
  const state = await catalog.state(call);
  return new Map(
    ids.flatMap((id) => {
      const title = state.find(id)?.entry.title;
      return title ? [[id, title] as const] : [];
    }),
  );
}

export const countServed = async ({ catalog, records }: ReadsDeps, call: Call) =>
  summariseServed(records, call, await catalog.state(call));

/** Of the catalog: rules with open signals, the newest comments, and which rules were served most and never. */
async function allRecords({ records }: ReadsDeps, call: Call, state: CatalogState): Promise<Facts> {
  const { open, comments } = await records.newestRemarks(call, (id) => state.find(id)?.entry);
  return { signals: open, comments, served: await summariseServed(records, call, state) };
}

async function inspectUsage(deps: ReadsDeps, call: Call, id: string | undefined): Promise<InspectData> {
  const state = await deps.catalog.state(call);
  const ids = id === undefined ? state.entries.map((entry) => entry.id) : [id];
  const counts = await deps.usage.countsOf(call, ids);
  const used = [...counts]
    .map(([usedId, count]) => ({ id: usedId, ...count }))
    .sort((a, b) => b.usageCount - a.usageCount || (a.id < b.id ? -1 : 1));
  const records = id === undefined ? await allRecords(deps, call, state) : await recordsOf(deps, call, state, id);
  return {
    raw: { counts: used.slice(0, instructionLimits.reportItemsCount), ...records },
    normalized: { usedCount: used.length, unusedCount: ids.length - used.length },
    validation: { enabled: deps.isUsageOn(), isServingRecorded: deps.records.isServingRecorded() },
    metadata: { totalUses: used.reduce((sum, { usageCount }) => sum + usageCount, 0) },
    filesystem: {},
  };
}

const emptyData: InspectData = { raw: {}, normalized: {}, validation: { valid: false }, metadata: {}, filesystem: {} };

export async function inspectCatalog(
  deps: ReadsDeps,
  { id, scope: given }: InspectInput,
  call: Call,
): Promise<InspectResult> {
  const scope = given ?? (id === undefined ? 'catalog' : 'instruction');
  const head = { timestamp: toIso(deps.clock.now()), scope, ...(id === undefined ? {} : { id }) };
  if (scope === 'catalog') return { ...head, data: await inspectWholeCatalog(deps, call) };
  if (scope === 'usage') return { ...head, data: await inspectUsage(deps, call, id) };
  if (scope === 'governance' && id === undefined) return { ...head, data: await inspectGovernance(deps, call) };
  if (id === undefined) throw faults.INVALID_PARAMS({ why: 'scope instruction needs an id' }, { field: 'id' });
  const data = await inspectInstruction(deps, call, id);
  if ('notFound' in data) return { ...head, notFound: true, data: { ...emptyData, filesystem: data.filesystem } };
  if (scope === 'instruction') return { ...head, data };
  const { governance, ...metadata } = data.metadata;
  return { ...head, data: { ...data, raw: governance as Facts, normalized: {}, metadata } };
}
