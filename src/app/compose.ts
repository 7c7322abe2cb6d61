import { join } from 'node:path';
import type { Settings } from '#config/settings.ts';
import { instructionPrompts } from '#domains/instructions/outside/prompts.ts';
import { instructionResources } from '#domains/instructions/outside/resources.ts';
import { instructionSkills } from '#domains/instructions/outside/skills.ts';
import { createAccess } from '#kernel/access/access.ts';
import { createAudit } from '#kernel/audit/audit.ts';
import { createCheckpoints } from '#kernel/audit/checkpoints.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { createFeatures } from '#kernel/features/features.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { openKeys } from '#kernel/keys/keys.ts';
import { createLimiter, openLimiter } from '#kernel/limiter/limiter.ts';
import { createChangeFeed } from '#kernel/storage/change-feed.ts';
import { settleForwarding } from '#kernel/tool/forwarding.ts';
import { createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { createRegistry } from '#kernel/tool/registry.ts';
import { createBackground, createTenantRoll } from './background.ts';
import { cards } from './cards.ts';
import { composeInstructions } from './instructions.ts';
import { createLog } from './log.ts';
import { logCalls } from './log-calls.ts';
import { makeHome } from './make-home.ts';
import { oauthSettings } from './oauth.ts';
import { once } from './once.ts';
import { auditKeyOf, openStorage } from './open-storage.ts';
import { checkReady } from './ready.ts';
import { toolsetLoaders } from './toolsets.ts';
import { version } from './version.ts';

export type App = ReturnType<typeof compose>;

/** Reading it is reading the architecture: everything is made here, once, from top to bottom. */
export function compose(settings: Settings, surface: 'stdio' | 'http' | 'cli') {
  const { home } = settings;
  const clock = systemClock;
  const ids = createIds(clock);
  const log = createLog({
    level: settings.logDiag ? 'debug' : settings.logLevel,
    file: settings.logFile,
    rotateBytes: settings.logRotateBytes,
  });
  const meter = createToolMeter();
  const features = createFeatures(settings.features);
  const permits = { mutation: settings.mutation, readOnly: settings.readOnly };
  const limiter = surface === 'http' && settings.rateLimits ? createLimiter(clock) : openLimiter;

  const keys = once(() => {
    makeHome(home);
    return openKeys(settings.keyFile);
  });
  const storage = openStorage({ home, databaseUrl: settings.databaseUrl }, { clock, log }, keys);
  const changes = createChangeFeed(storage, log);
  const checkpoints = once(() => createCheckpoints(join(home, 'audit-checkpoints.jsonl'), auditKeyOf(keys())));
  const audit = once(() =>
    createAudit({ storage, key: auditKeyOf(keys()), checkpoints: checkpoints(), now: () => clock.now() }),
  );
  const cursors = once(() => createCursors(keys().derive('cursors')));
  const access = once(() => createAccess({ storage, keys: keys(), clock, log, oauth: oauthSettings(settings) }));

  const instructions = once(() =>
    composeInstructions({
      settings,
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

  const wanted = cards.filter((card) => settings.probes || card.toolset !== 'probe');
  const shown = settleForwarding(wanted, permits);
  const registry = createRegistry(
    shown,
    toolsetLoaders({
      system: () => ({
        version,
        cards: shown,
        permits,
        meter,
        features,
        audit,
        cursors,
        clock,
      }),
      instructions,
      probe: () => ({ storage }),
    }),
  );
  const tenants = createTenantRoll();
  const invoke = logCalls(
    tenants.note(
      createInvoke({
        registry,
        permits,
        limiter,
        meter,
        clock,
        ids,
        deadlineMs: settings.deadlineMs,
        reportBug: ({ id, tool, error }) => log.error({ id, tool, err: error }, 'unexpected error'),
      }),
    ),
    log,
    { everyCall: settings.logVerbose, writes: settings.logMutation },
  );

  const background = createBackground({ storage, audit, tenants, clock, ids, log });

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
    resources: { families: [instructionResources] },
    prompts: { sources: [instructionPrompts] },
    skills: instructionSkills,
    background,
    ready: () => checkReady(storage),
    async close() {
      await background.stop();
      changes.close();
      await (await instructions.peek()?.catch(() => undefined))?.close();
      await storage.close();
    },
  };
}
