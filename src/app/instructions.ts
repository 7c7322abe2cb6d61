import { statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Settings } from '#config/settings.ts';
import type { CatalogProblem } from '#domains/instructions/catalog/catalog.ts';
import type { Instructions, InstructionsDeps } from '#domains/instructions/instructions.ts';
import { type Call, localTenant } from '#kernel/call.ts';
import { toOperatorCall } from './admin/operator-call.ts';
import { stderrSink } from './log.ts';
import type { Search } from './search.ts';

type Shared = 'storage' | 'cursors' | 'features' | 'permits' | 'meter' | 'cards' | 'clock' | 'ids' | 'log' | 'version';

export interface InstructionsParts extends Pick<InstructionsDeps, Shared> {
  readonly settings: Settings;
  readonly search: Pick<Search, 'keyword' | 'semantic' | 'regex' | 'register'>;
}

const newestRevision = '2026-07-28';

const snapshotPath = ({ instructionsDir, snapshotFile }: Settings): string =>
  snapshotFile ?? join(instructionsDir, 'snapshots', 'canonical-instructions.json');

/** The folders of all tenants except the local one. */
export const tenantsFolderOf = (home: string): string => join(home, 'instructions-of');

/** Config files next to the entries; only the local tenant has them. */
function configPathOf(settings: Settings): (name: string, call: Call) => string | undefined {
  const { instructionsDir, gatesFile, ownersFile, criteriaFile } = settings;
  const moved: Readonly<Record<string, string | undefined>> = {
    'gates.json': gatesFile,
    'owners.json': ownersFile,
    'PROMPT-CRITERIA.json': criteriaFile,
    'snapshots/canonical-instructions.json': snapshotPath(settings),
  };
  return (name, { tenant }) => (tenant === localTenant ? (moved[name] ?? join(instructionsDir, name)) : undefined);
}

/** Where traces go. Any trace or diagnostics setting switches tracing on. */
function traceFolder(settings: Settings): string | undefined {
  const { traceDir, catalogDiag, catalogFileTrace, traceFilter, traceSession, home } = settings;
  const isWanted = catalogDiag || catalogFileTrace || traceFilter !== undefined || traceSession !== undefined;
  return traceDir ?? (isWanted ? join(home, 'traces') : undefined);
}

async function diskUsage(home: string): Promise<{ totalSize: number; availableSpace: number }> {
  const { bsize, blocks, bavail } = await statfs(home);
  return { totalSize: blocks * bsize, availableSpace: bavail * bsize };
}

export interface ComposedInstructions extends Instructions {
  /** The files of the local tenant that cannot be served. */
  unserved(): Promise<readonly CatalogProblem[]>;
  close(): Promise<void>;
}

export async function composeInstructions(parts: InstructionsParts): Promise<ComposedInstructions> {
  const { settings, search, version, storage, cursors, features, permits, meter, cards, clock, ids, log } = parts;
  // Loaded here because listing tools needs none of it.
  const [{ createInstructions }, { instructionDocuments }] = await Promise.all([
    import('#domains/instructions/instructions.ts'),
    import('#domains/instructions/catalog/search-documents.ts'),
  ]);
  search.register(instructionDocuments);
  const instructions = createInstructions({
    storage,
    search: search.keyword,
    semantic: search.semantic,
    regex: search.regex,
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
    configPathOf: configPathOf(settings),
    diskUsage: () => diskUsage(settings.home),
    folder: settings.instructionsDir,
    tenantsFolder: tenantsFolderOf(settings.home),
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
    recordsServed: settings.recordServed,
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
      echo: settings.catalogDiag ? (line) => stderrSink.write(line) : undefined,
    },
    catalogTracing: { loads: settings.catalogDiag, files: settings.catalogFileTrace },
    isMemoized: settings.catalogMemoize,
  });

  return {
    ...instructions,
    exchange: {
      clock,
      backupsFolder: join(settings.home, 'backups'),
      instructionsFolder: storage.capabilities.isLocal ? settings.instructionsDir : undefined,
      snapshotFile: snapshotPath(settings),
      async saveSnapshot(text) {
        await (await import('./admin/durable-files.ts')).replaceDurably(snapshotPath(settings), text);
      },
    },
    async unserved() {
      const call = toOperatorCall({ tenant: localTenant, tool: 'overview', clock });
      return (await instructions.catalog.state(call)).problems;
    },
    async close() {
      await instructions.serving.close();
      await instructions.catalog.close();
    },
  };
}
