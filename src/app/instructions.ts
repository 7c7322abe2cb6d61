import { statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Settings } from '#config/settings.ts';
import type { InstructionsDeps } from '#domains/instructions/create-instructions.ts';
import type { Instructions } from '#domains/instructions/instructions.ts';
import { type Call, localTenant } from '#kernel/call.ts';

type Shared = 'storage' | 'cursors' | 'features' | 'permits' | 'meter' | 'cards' | 'clock' | 'ids' | 'log' | 'version';

export interface InstructionsParts extends Pick<InstructionsDeps, Shared> {
  readonly settings: Settings;
}

const newestRevision = '2026-07-28';

/** Files that people write beside the entries; only the owner of the data folder has them. */
function pathOfConfig(settings: Settings): (name: string, call: Call) => string | undefined {
  const { instructionsDir, gatesFile, ownersFile, criteriaFile, snapshotFile } = settings;
  const moved: Readonly<Record<string, string | undefined>> = {
    'gates.json': gatesFile,
    'owners.json': ownersFile,
    'PROMPT-CRITERIA.json': criteriaFile,
    'snapshots/canonical-instructions.json': snapshotFile,
  };
  return (name, { tenant }) => (tenant === localTenant ? (moved[name] ?? join(instructionsDir, name)) : undefined);
}

/** Where trace lines go; asking for diagnostics is asking for a trace. */
const traceFolder = ({ traceDir, catalogDiag, catalogFileTrace, home }: Settings): string | undefined =>
  traceDir ?? (catalogDiag || catalogFileTrace ? join(home, 'traces') : undefined);

async function diskUsage(home: string): Promise<{ totalSize: number; availableSpace: number }> {
  const { bsize, blocks, bavail } = await statfs(home);
  return { totalSize: blocks * bsize, availableSpace: bavail * bsize };
}

export interface ComposedInstructions extends Instructions {
  close(): Promise<void>;
}

/** Puts the memory together when the first of its tools is called. */
export async function composeInstructions(parts: InstructionsParts): Promise<ComposedInstructions> {
  const { settings, version, storage, cursors, features, permits, meter, cards, clock, ids, log } = parts;
  // Nothing of this is needed to list tools, so it is loaded here.
  const [
    { createInstructions },
    { createSearchIndex },
    { createLeases },
    { createWorkers },
    { poolEntry },
    { createPatterns },
  ] = await Promise.all([
    import('#domains/instructions/create-instructions.ts'),
    import('#kernel/search/search-index.ts'),
    import('#kernel/jobs/leases.ts'),
    import('#kernel/workers/workers.ts'),
    import('#kernel/workers/pool-entry.ts'),
    import('#kernel/pattern/patterns.ts'),
  ]);
  const search = createSearchIndex({ storage, leases: createLeases({ storage, clock, ids }), clock, ids, log });
  const workers = createWorkers({ entry: poolEntry });
  const patterns = createPatterns(workers);
  const instructions = createInstructions({
    storage,
    search,
    patterns,
    cursors,
    features,
    permits,
    meter,
    cards,
    clock,
    ids,
    log,
    version,
    protocolVersion: newestRevision,
    pathOfConfig: pathOfConfig(settings),
    diskUsage: () => diskUsage(settings.home),
    folder: settings.instructionsDir,
    tenantsFolder: join(settings.home, 'instructions-of'),
    canonicalOff: settings.canonicalOff,
    strictCreate: settings.strictCreate,
    strictRemove: settings.strictRemove,
    governanceNewline: settings.governanceNewline,
    readRetries: settings.readRetries,
    readBackoffMs: settings.readBackoffMs,
    writeRetries: settings.writeRetries,
    writeBackoffMs: settings.writeBackoffMs,
    isUsageLimited: !settings.usageRateLimitOff,
    isUsageClamped: !settings.usageClampOff,
    feedbackMaxEntries: settings.feedbackMaxEntries,
    feedbackDir: basename(settings.feedbackDir),
    agentId: settings.agentId,
    workspace: settings.workspace,
    trace: {
      dir: traceFolder(settings),
      maxBytes: settings.traceMaxBytes,
      session: settings.traceSession,
      allow: settings.traceFilter ?? [],
      deny: settings.traceFilterDeny,
    },
  });

  return {
    ...instructions,
    async close() {
      await instructions.catalog.close();
      await search.close();
      await workers.close();
    },
  };
}
