import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LoadedSettings } from '#config/load-settings.ts';
import type { Settings } from '#config/settings.ts';
import { contextPrompts, contextResources } from '#domains/context/exchange/start-task.ts';
import { instructionPrompts } from '#domains/instructions/exchange/prompts.ts';
import { instructionResources } from '#domains/instructions/exchange/resources.ts';
import { instructionSkills } from '#domains/instructions/exchange/skills.ts';
import { createNeotomaMetrics } from '#domains/integrations/technical-metrics/neotoma-metrics.ts';
import { docResources } from '#domains/knowledge/libraries/doc-resources.ts';
import { createNotebookMetrics } from '#domains/notebooks/exchange/notebook-metrics.ts';
import { notebookResources } from '#domains/notebooks/exchange/pad-resources.ts';
import { createRecentCalls } from '#domains/system/recent-calls.ts';
import { createUsageHours } from '#domains/system/usage-hours.ts';
import { truthResources } from '#domains/truth/exchange/entity-resources.ts';
import { createOrphanCount } from '#domains/truth/relationships/orphan-count.ts';
import { createAccess } from '#kernel/access/access.ts';
import { openFixedTokens } from '#kernel/access/fixed-tokens.ts';
import { createAudit } from '#kernel/audit/audit.ts';
import { createCheckpoints } from '#kernel/audit/checkpoints.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { createFeatures } from '#kernel/features/features.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createScrub } from '#kernel/jobs/scrub.ts';
import { listTenants } from '#kernel/jobs/tenants.ts';
import { openKeys } from '#kernel/keys/keys.ts';
import { createLimiter, openLimiter } from '#kernel/limiter/limiter.ts';
import { createChangeFeed } from '#kernel/storage/change-feed.ts';
import { withForwardedEffects } from '#kernel/tool/gate.ts';
import { createInvoke, type Invoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { createRegistry } from '#kernel/tool/registry.ts';
import { homeNames } from './admin/home-layout.ts';
import { createRecorder } from './analytics.ts';
import { createBackground, createTenantList } from './background.ts';
import { checkHome } from './check-home.ts';
import { composeContext } from './context.ts';
import { createEmbeddingMetrics } from './embedding-metrics.ts';
import { chooseFileRoots } from './file-roots.ts';
import { createFilesAddress } from './files-address.ts';
import { composeInstructions } from './instructions.ts';
import { composeIntegrations, createResumeJob } from './integrations.ts';
import { composeKnowledge } from './knowledge.ts';
import { createLog, logCalls } from './log.ts';
import { createMigrationReport } from './migration-report.ts';
import { composeNotebooks } from './notebooks.ts';
import { oauthSettings } from './oauth.ts';
import { once } from './once.ts';
import {
  auditKeyOf,
  checkReady,
  createDataFolder,
  findPoolUsage,
  findStoreProblem,
  openStorage,
  storeMetrics,
} from './open-storage.ts';
import { scrubMetrics } from './scrub-metrics.ts';
import { composeSearch } from './search.ts';
import { toSystemDeps } from './system.ts';
import { cards, type ExtraToolset, toolsetLoaders, version } from './toolsets.ts';
import { composeTruth } from './truth.ts';

export type App = ReturnType<typeof compose>;

/** Creates everything once, from top to bottom: this function shows the architecture. */
export function compose(
  settings: Settings,
  surface: 'stdio' | 'http' | 'cli',
  extraToolsets: readonly ExtraToolset[] = [],
  /** Where the settings come from; without it they count as defaults. */
  provenance: Partial<LoadedSettings['provenance']> = {},
) {
  const { home } = settings;
  const clock = systemClock;
  const ids = createIds(clock);
  const log = createLog({
    level: settings.logDiag ? 'debug' : settings.logLevel,
    file: settings.logFile,
    rotateBytes: settings.logRotateBytes,
  });
  const features = createFeatures(settings.features);
  const permits = { mutation: settings.mutation, readOnly: settings.readOnly };
  const limiter = surface === 'http' && settings.rateLimits ? createLimiter(clock) : openLimiter;

  const isStoreLocal = settings.databaseUrl === undefined;
  const checkFiles = () => checkHome({ home, keyFile: settings.keyFile, isStoreLocal }, settings.startEmpty, clock);
  const keys = once(() => {
    createDataFolder(home);
    checkFiles();
    return openKeys(settings.keyFile);
  });
  const tenants = createTenantList();
  const place = { home, databaseUrl: settings.databaseUrl };
  const storeOptions = { clock, log, migrating: createMigrationReport() };
  const storage = openStorage(place, storeOptions, keys, (tenant) => tenants.noteWrite(tenant));
  const meter = createToolMeter();
  const notebookMetrics = createNotebookMetrics({ storage, clock, log, meter, tenants: () => tenants.all() });
  const neotomaMetrics = createNeotomaMetrics({
    meter,
    clock,
    forwarding: new Set(cards.filter(({ forwards }) => forwards !== false).map(({ name }) => name)),
    orphanNodes: createOrphanCount({ storage, clock, log, tenants: () => tenants.all() }),
    poolUsage: () => findPoolUsage(storage),
  });
  if (surface !== 'cli') neotomaMetrics.start();
  const recorder = createRecorder(settings, { storage, clock, log }, keys);
  const recentCalls = createRecentCalls({ clock });
  const usage = createUsageHours({ storage, clock, log, isOn: surface !== 'cli' && !settings.readOnly });
  const changes = createChangeFeed(storage, log);
  const audit = once(() => {
    const key = auditKeyOf(keys());
    const checkpoints = createCheckpoints(join(home, homeNames.checkpoints), key, {
      file: settings.auditCopyFile,
      command: settings.auditCommand,
      report: (target, reason) => log.error({ target, reason }, 'an audit checkpoint could not be copied'),
    });
    return createAudit({ storage, key, checkpoints, now: () => clock.now() });
  });
  const cursors = once(() => createCursors(keys().derive('cursors')));
  const access = once(() =>
    createAccess({
      storage,
      keys: keys(),
      clock,
      log,
      oauth: oauthSettings(settings),
      tokens: openFixedTokens({ token: settings.bearerToken, file: settings.bearerTokenFile }),
    }),
  );

  const isOneShot = surface === 'cli';
  const search = once(() =>
    composeSearch({ settings, storage, clock, ids, log, tenants: () => tenants.all(), isOneShot }),
  );
  const embedding = createEmbeddingMetrics({
    clock,
    log,
    tenants: () => tenants.all(),
    progress() {
      const made = search.peek();
      return made && (async (tenant) => (await made).progress(tenant));
    },
  });
  const instructions = once(async () =>
    composeInstructions({
      settings,
      search: await search(),
      version,
      storage,
      cursors,
      features,
      permits,
      meter,
      cards: shown,
      clock,
      ids,
      log,
    }),
  );

  const folders = { surface, cwd: process.cwd(), userHome: homedir(), dataFolder: home };
  const fileRoots = chooseFileRoots({ configured: settings.fileRoots, ...folders });
  const knowledge = once(async () => {
    const made = await composeKnowledge({
      settings,
      search: await search(),
      storage,
      cursors,
      fileRoots,
      clock,
      ids,
      log,
    });
    background.add(made.libraries.jobs(() => tenants.all()));
    return made;
  });

  const notebooks = once(async () => {
    const made = await composeNotebooks({
      settings,
      search: await search(),
      storage,
      cursors,
      clock,
      ids,
      log,
      tenants: () => tenants.all(),
      onEvicted: notebookMetrics.evicted,
    });
    background.add(made.jobs);
    return made;
  });

  const filesAddress = createFilesAddress(`http://${settings.host}:${settings.port}`);
  const truth = once(async () => {
    const made = await composeTruth({
      settings,
      search: await search(),
      storage,
      keys,
      cursors,
      fileRoots,
      fileServer: filesAddress,
      clock,
      ids,
      log,
    });
    background.add(made.jobs(() => tenants.all()));
    return made;
  });

  const integrations = once(async () =>
    composeIntegrations({
      settings,
      ownMetrics: neotomaMetrics,
      recorder,
      storage,
      clock,
      ids,
      log,
      keys,
      truth,
    }),
  );

  const memories = { instructions, knowledge, notebooks, truth };
  const context = once(() =>
    composeContext({ ...memories, settings, folders, storage, access, cursors, clock, ids, log }),
  );

  const shown = withForwardedEffects([...cards, ...extraToolsets.flatMap((extra) => extra.cards)], permits);
  const registry = createRegistry(shown, {
    ...toolsetLoaders({
      system: () =>
        toSystemDeps({
          ...{ version, settings, provenance, cards: shown, permits, meter, features, access, audit, cursors, clock },
          ...{ storage, keys, log, instructions, notebooks, truth, integrations, search, usage, recentCalls, ids },
          ...{ scrub: scrub.progress, jobs: background.status },
          embedding: embedding.progress,
          recordsEvents: recorder !== undefined,
          invoke: (invocation) => invoke(invocation),
        }),
      instructions,
      knowledge,
      notebooks,
      truth,
      integrations,
      context,
    }),
    ...Object.fromEntries(extraToolsets.map((extra) => [extra.name, () => extra.load({ storage })])),
  });
  const countEvents = recorder?.track ?? ((bare: Invoke) => bare);
  const runTool = createInvoke({
    ...{ registry, permits, limiter, meter, clock, ids },
    deadlineMs: settings.deadlineMs,
    reportBug: ({ id, tool, error }) => log.error({ id, tool, err: error }, 'unexpected error'),
  });
  const invoke = logCalls(tenants.track(countEvents(usage.track(recentCalls.track(runTool)))), log, {
    everyCall: settings.logVerbose,
    writes: settings.logMutation,
  });

  const scrub = createScrub({
    storage,
    migrations: async () => (await import('#migrations/all.ts')).migrations,
    tenants: () => listTenants(storage),
    log,
  });
  const background = createBackground({
    storage,
    scrub: scrub.job,
    audit,
    tenants,
    clock,
    ids,
    log,
    searchMaintenance() {
      const made = search.peek();
      return made && (async (tenant) => (await made).maintain(tenant));
    },
  });

  background.add([createResumeJob(storage, () => tenants.all(), integrations)]);
  if (recorder !== undefined) background.add(recorder.jobs(() => tenants.all()));

  return {
    version,
    home,
    clock,
    ids,
    log,
    meter,
    permits,
    keys,
    storage,
    changes,
    audit,
    access,
    registry,
    invoke,
    metricSources: [
      ...notebookMetrics.metrics,
      ...neotomaMetrics.sources,
      ...embedding.metrics,
      ...scrubMetrics(scrub.progress),
      ...storeMetrics(() => findStoreProblem(storage, settings.readOnly)),
    ],
    knowledge,
    notebooks,
    truth,
    filesAddress,
    openSigned: async (token: string) => (await truth()).files.signed.open(token),
    resources: {
      families: [contextResources, instructionResources, docResources, ...notebookResources, ...truthResources],
    },
    prompts: { sources: [contextPrompts, instructionPrompts] },
    skills: instructionSkills,
    background,
    /** A store that is only read needs no jobs, and cannot write their results. */
    async startJobs() {
      const isReadOnly = settings.readOnly && (await storage.writeProblem()) !== undefined;
      if (!isReadOnly) background.start();
    },
    /** Throws if the store or the key file was lost. Opening them checks this too, but later. */
    checkFiles,
    ready: () => checkReady(storage, settings.readOnly),
    unservedInstructions: async () => (await instructions()).unserved(),
    async close() {
      neotomaMetrics.stop();
      await recorder?.flush();
      await usage.flush();
      await background.stop();
      changes.close();
      // Close search before the domains: its jobs still read from them.
      for (const part of [context, integrations, search, instructions, knowledge, notebooks, truth])
        await (await part.peek()?.catch(() => undefined))?.close();
      await storage.close();
    },
  };
}
