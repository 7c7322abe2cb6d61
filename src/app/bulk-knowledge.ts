import type { Knowledge } from '#domains/knowledge/knowledge.ts';
import { type Call, type Caller, toTenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Permits } from '#kernel/tool/gate.ts';
import { toOperatorCall } from './admin/operator-call.ts';
import type { NewApplication, WrittenApplication } from './new-application.ts';

interface Whose {
  readonly tenant: string;
}

interface BulkRun {
  readonly signal: AbortSignal | undefined;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/** What of the app these commands use. */
export interface BulkKnowledgeParts {
  readonly clock: Clock;
  readonly permits: Permits;
  readonly home: string;
  readonly knowledge: () => Promise<Pick<Knowledge, 'ingest' | 'libraries' | 'templates'>>;
}

interface AddOptions extends Whose {
  readonly sources: readonly string[];
  readonly library: string | undefined;
  readonly version: string | undefined;
  readonly ignore: boolean;
  readonly dryRun: boolean;
}

/** The commands `knowledge add | restore | new`, in the name of their caller, who names a tenant. */
export function createBulkKnowledge(parts: BulkKnowledgeParts, caller: Caller) {
  const { clock, permits, home, knowledge } = parts;

  /** Its deadline is for each wait for the store, not for the whole. */
  function callOf(tool: string, tenant: string, { signal, progress }: BulkRun): Call {
    const made = (): Call => toOperatorCall({ tenant: toTenantId(tenant), actor: caller.actor, tool, clock, signal });
    return {
      ...made(),
      progress,
      get deadlineAt() {
        return made().deadlineAt;
      },
    };
  }

  return {
    async add({ sources, library, version, ignore, dryRun, tenant }: AddOptions, run: BulkRun): Promise<object> {
      if (!dryRun && permits.readOnly) throw faults.READ_ONLY({ tool: 'knowledge add' });
      if (sources.length > 1 && (library !== undefined || version !== undefined)) {
        throw faults.INVALID_PARAMS({ why: 'one library has one source: --library and --version are for one alone' });
      }
      const { ingest, libraries: kept } = await knowledge();
      const access = { roots: undefined, forbidden: [home], base: process.cwd(), takesIgnored: !ignore };
      const libraries: object[] = [];
      let changedCount = 0;
      for (const source of sources) {
        const input = { source, library, version, ...(dryRun ? { dry_run: true } : {}) };
        const taken = await ingest.run(input, callOf('knowledge_ingest', tenant, run), access);
        changedCount += taken.added + taken.changed + taken.removed;
        libraries.push(taken);
      }
      if (!dryRun) await kept.mergeIndex(toTenantId(tenant), changedCount);
      return { libraries };
    },
    async create(wanted: NewApplication): Promise<WrittenApplication> {
      if (!wanted.dryRun && permits.readOnly) throw faults.READ_ONLY({ tool: 'knowledge new' });
      const { newApplication } = await import('./new-application.ts');
      return newApplication((await knowledge()).templates, wanted);
    },
    async restore({ library, version, tenant }: { library: string; version: string } & Whose, run: BulkRun) {
      if (permits.readOnly) throw faults.READ_ONLY({ tool: 'knowledge restore' });
      return (await knowledge()).libraries.restore({ library, version }, callOf('knowledge/restore', tenant, run));
    },
  };
}
