import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Features } from '#kernel/features/features.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Log } from '#kernel/log/log.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Card } from '#kernel/tool/card.ts';
import type { Permits } from '#kernel/tool/gate.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import type { RegexRunner } from '#kernel/workers/regex-runner.ts';
import type { Catalog } from './catalog/catalog.ts';
import { createCatalog } from './catalog/create-catalog.ts';
import { createConfigFiles, parseConfig, type ReadConfigFile } from './config-files.ts';
import type { InstructionExchange } from './exchange/bulk-deps.ts';
import { createFeedback, type Feedback } from './feedback/feedback.ts';
import { createGates, type Gates } from './gates/gates.ts';
import { createHistory, type History } from './history/history.ts';
import { createRemovedRules } from './history/removed-rules.ts';
import { createIntegrity, type Integrity } from './integrity/integrity.ts';
import { createProposals, type Proposals } from './proposals/proposals.ts';
import { createPropose } from './proposals/record-proposals.ts';
import { createReads, type Reads } from './reads/reads.ts';
import { createReview, type Review } from './review/review.ts';
import { findOwners, type OwnerRule } from './rules/owners.ts';
import { createRuleRecords } from './serving/rule-records.ts';
import { createServing, type Serving } from './serving/serving.ts';
import { createTrace, type TraceDeps, traceLimits } from './trace/trace.ts';
import { type CatalogTracing, traceSource } from './trace/traced-source.ts';
import { createUsage, type Usage } from './usage/usage.ts';
import { createIdempotency } from './writes/idempotency.ts';
import { createWrites, type Writes } from './writes/writes.ts';
import type { WritesDeps } from './writes/writes-deps.ts';

/** The instructions memory. Each tool uses only the part that it needs. */
export interface Instructions {
  readonly reads: Reads;
  readonly writes: Writes;
  readonly usage: Usage;
  readonly feedback: Feedback;
  readonly review: Review;
  readonly gates: Gates;
  readonly integrity: Integrity;
  readonly exchange: InstructionExchange;
  readonly history: History;
  readonly proposals: Proposals;
}

const ownersFileName = 'owners.json';

const ownersFile = z.object({
  ownership: z.array(z.object({ pattern: z.string(), owner: z.string().min(1).max(200) })),
});

function parseOwners(text: string): readonly OwnerRule[] {
  const parsed = ownersFile.safeParse(parseConfig(ownersFileName, text));
  if (parsed.success) return parsed.data.ownership;
  throw faults.VALIDATION_ERROR(
    { why: `${ownersFileName} must be {"ownership":[{"pattern","owner"}]}` },
    { file: ownersFileName },
  );
}

/** Reads the caller's owners.json; a file is parsed once, until its text changes. */
function createOwners(readConfigFile: ReadConfigFile, regex: RegexRunner): WritesDeps['owners'] {
  let known: { readonly text: string; readonly rules: readonly OwnerRule[] } = { text: '', rules: [] };
  return async (call, ids) => {
    const text = await readConfigFile(ownersFileName, call);
    if (text === undefined) return new Map();
    if (known.text !== text) known = { text, rules: parseOwners(text) };
    return findOwners(ids, known.rules, regex, call);
  };
}

export interface InstructionsDeps {
  readonly storage: Storage;
  readonly search: SearchIndex;
  readonly semantic: SemanticSearch;
  readonly regex: RegexRunner;
  readonly cursors: () => Cursors;
  readonly features: Features;
  readonly permits: Permits;
  readonly meter: ToolMeter;
  readonly cards: readonly Card[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly version: string;
  readonly protocolVersion: string;
  /** The path of a config file of the caller; undefined when the caller has none. */
  configPathOf(name: string, call: Call): string | undefined;
  diskUsage(): Promise<{ readonly totalSize: number; readonly availableSpace: number }>;
  readonly folder: string;
  readonly tenantsFolder: string;
  readonly canonicalOff: boolean;
  readonly strictCreate: boolean;
  readonly strictRemove: boolean;
  readonly governanceNewline: boolean;
  readonly readRetries: number;
  readonly readBackoffMs: number;
  readonly writeRetries: number;
  readonly writeBackoffMs: number;
  readonly isUsageLimited: boolean;
  readonly isUsageClamped: boolean;
  readonly recordsServed: boolean;
  readonly feedbackMaxEntries: number;
  readonly feedbackDir: string;
  readonly agentId: string | undefined;
  readonly workspace: string | undefined;
  readonly isMemoized: boolean;
  readonly trace: Omit<TraceDeps, 'clock'>;
  readonly catalogTracing: CatalogTracing;
}

export function createInstructions(
  deps: InstructionsDeps,
): Omit<Instructions, 'exchange'> & { readonly catalog: Catalog; readonly serving: Serving } {
  const { storage, clock, ids, log, features, canonicalOff, permits, agentId, workspace } = deps;
  const tracer = createTrace({ ...deps.trace, clock });
  const { trace } = tracer;
  const readConfigFile = createConfigFiles((name, call) => deps.configPathOf(name, call));
  const { loads, files } = deps.catalogTracing;
  const catalog = createCatalog({
    ...deps,
    ...(loads || files
      ? { aroundSource: (tenant, create) => traceSource(tracer, deps.catalogTracing, tenant, create) }
      : {}),
  });
  const serving = createServing({
    storage,
    clock,
    log,
    workspace,
    isOn: () => deps.recordsServed && !permits.readOnly && features.isOn('usage'),
  });
  const records = createRuleRecords({ storage, clock, serving });
  const usage = createUsage({
    storage,
    serving,
    records,
    catalog,
    features,
    ids,
    isLimited: deps.isUsageLimited,
    isClamped: deps.isUsageClamped,
  });

  const integrity = createIntegrity({ catalog, readConfigFile, canonicalOff });

  const reads = createReads({
    catalog,
    usage,
    records,
    recordServed: (call, rules) => serving.record(call, rules),
    regex: deps.regex,
    embeddings: catalog.embeddings,
    cursors: deps.cursors,
    clock,
    version: deps.version,
    protocolVersion: deps.protocolVersion,
    permits,
    meter: deps.meter,
    cards: deps.cards,
    govTrailingNewline: deps.governanceNewline,
    isUsageOn: () => features.isOn('usage'),
    trace: (category, fields) => trace(category, undefined, fields),
    count: (counter) => features.count(counter),
    storeProblem: () => (permits.readOnly ? Promise.resolve(undefined) : storage.writeProblem()),
    diskUsage: () => deps.diskUsage(),
    compareWithManifest: (call) => integrity.manifest(call),
  });

  const idempotency = createIdempotency(storage);
  const onMutation: WritesDeps['onMutation'] = (_call, { action, ids: changed }) =>
    trace('mutation', action, { ids: changed.slice(0, traceLimits.idsCount) });
  const writesDeps: WritesDeps = {
    catalog,
    idempotency,
    clock,
    cursors: {
      seal: (tool, tenant, state) => deps.cursors().seal(tool, tenant, state),
      open: (tool, tenant, text) => deps.cursors().open(tool, tenant, text),
    },
    strictCreate: deps.strictCreate,
    strictRemove: deps.strictRemove,
    canonicalOff,
    ...(agentId === undefined ? {} : { agentId }),
    ...(workspace === undefined ? {} : { workspace }),
    owners: createOwners(readConfigFile, deps.regex),
    diff: (call, input) => reads.diff(input, call),
    pruneUsage: (call) => usage.prune(call, { dryRun: false }),
    propose: createPropose({ storage, catalog, ids }),
    removedRules: createRemovedRules({ storage, canonicalOff }),
    onMutation,
  };

  return {
    catalog,
    serving,
    reads,
    writes: createWrites(writesDeps),
    usage,
    feedback: createFeedback({
      storage,
      ids,
      log,
      maxEntries: deps.feedbackMaxEntries,
      feedbackDir: deps.feedbackDir,
    }),
    review: createReview({ readConfigFile, regex: deps.regex }),
    gates: createGates({ catalog, readConfigFile, clock, records }),
    integrity,
    history: createHistory({ storage, catalog, idempotency, clock, canonicalOff, onMutation }),
    proposals: createProposals({ ...writesDeps, storage }),
  };
}
