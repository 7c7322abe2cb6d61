import { join, resolve } from 'node:path';
import type { Settings } from '#config/settings.ts';
import type { ExportFormat } from '#domains/instructions/exchange/export-catalog.ts';
import type { ImportMode } from '#domains/instructions/exchange/import-files.ts';
import type { Caller } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import type { App } from './compose.ts';
import { snapshotPath } from './instructions.ts';

interface BulkRun {
  readonly signal: AbortSignal | undefined;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/** The commands `instructions import | export | snapshot | seed | reset`, each through the one door in the name of its caller. */
export function createBulkInstructions(app: App, settings: Settings, caller: Caller) {
  const askWithin =
    (signal: AbortSignal | undefined): Ask =>
    async (name, args) => {
      const outcome = await app.invoke({ name, args, caller, ...(signal === undefined ? {} : { signal }) });
      if (!outcome.ok) throw outcome.fault;
      return outcome.value;
    };
  const depsOf = ({ signal, progress }: BulkRun) => ({ ask: askWithin(signal), signal, progress, clock: app.clock });

  return {
    async import(
      options: { readonly paths: readonly string[]; readonly mode: ImportMode; readonly dryRun: boolean },
      run: BulkRun,
    ) {
      const { importFiles } = await import('#domains/instructions/exchange/import-files.ts');
      return importFiles(depsOf(run), { ...options, paths: options.paths.map((path) => resolve(path)) });
    },
    async export(
      options: { readonly to: string; readonly format: ExportFormat | undefined; readonly force: boolean },
      run: BulkRun,
    ) {
      const { exportCatalog } = await import('#domains/instructions/exchange/export-catalog.ts');
      const { to, format, force } = options;
      return exportCatalog(depsOf(run), { to: resolve(to), force, ...(format === undefined ? {} : { format }) });
    },
    async seed(run: BulkRun) {
      const { seedCatalog } = await import('#domains/instructions/exchange/starter-catalog.ts');
      return seedCatalog(depsOf(run));
    },
    /** What the catalog holds now is what drift is measured against. */
    async snapshot(run: BulkRun) {
      const [{ fetchAll }, { toManifestText }, { replaceDurably }] = await Promise.all([
        import('#domains/instructions/exchange/catalog-client.ts'),
        import('#domains/instructions/integrity/integrity.ts'),
        import('./admin/durable-files.ts'),
      ]);
      const { ask, progress } = depsOf(run);
      const { entries, hash } = await fetchAll(ask, (done, total) => progress(done, total, 'reading'));
      const file = snapshotPath(settings);
      await replaceDurably(file, toManifestText(entries));
      return { file, count: entries.length, hash };
    },
    async reset(options: { readonly empty: boolean; readonly seed: boolean }, run: BulkRun) {
      if (options.empty === options.seed) throw faults.CONFIG_ERROR({ why: 'say either --empty or --seed' });
      const { resetCatalog } = await import('#domains/instructions/exchange/reset-catalog.ts');
      const instructionsFolder = app.storage.dialect === 'sqlite' ? settings.instructionsDir : undefined;
      const deps = { ...depsOf(run), backupsFolder: join(app.home, 'backups'), instructionsFolder };
      return resetCatalog(deps, { mode: options.seed ? 'seed' : 'empty' });
    },
  };
}
