import type { Settings } from '#config/settings.ts';
import { mailTask } from '#domains/integrations/connectors/mail/mail-task.ts';
import { integrationLimits } from '#domains/integrations/integration-limits.ts';
import type { Integrations, IntegrationsDeps } from '#domains/integrations/integrations.ts';
import type { EventRecorder } from '#domains/integrations/product-analytics/event-recorder.ts';
import type { NeotomaMetrics } from '#domains/integrations/technical-metrics/neotoma-metrics.ts';
import type { Truth } from '#domains/truth/truth.ts';
import type { TenantId } from '#kernel/call.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { forEachTenant } from '#kernel/jobs/tenants.ts';
import type { Keys } from '#kernel/keys/keys.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openAnalyticsSource } from './analytics.ts';
import { once } from './once.ts';
import { openOutbound } from './open-outbound.ts';
import { readSecretFile } from './secret-file.ts';

export interface IntegrationsParts extends Pick<IntegrationsDeps, 'clock' | 'ids' | 'log'> {
  readonly storage: Storage;
  readonly settings: Settings;
  readonly ownMetrics: NeotomaMetrics;
  /** Undefined if no events are captured. */
  readonly recorder: Pick<EventRecorder, 'flush'> | undefined;
  readonly keys: () => Keys;
  readonly truth: () => Promise<Pick<Truth, 'payloads'>>;
}

async function openPrometheus({ prometheusUrl: url, prometheusTokenFile: file }: Settings) {
  if (url === undefined) return undefined;
  const { createPrometheus } = await import('#domains/integrations/technical-metrics/prometheus.ts');
  return createPrometheus({
    outbound: await openOutbound(url),
    url,
    token: () => readSecretFile('prometheusTokenFile', file),
  });
}

/** Loads the domain when the first of its tools is called. */
export async function composeIntegrations(parts: IntegrationsParts): Promise<Integrations> {
  const { keys, truth, settings, ownMetrics, recorder, ...rest } = parts;
  const [{ createIntegrations }, { createSealedText }, { createLeases }, { plaidSource }] = await Promise.all([
    import('#domains/integrations/integrations.ts'),
    import('#kernel/keys/sealed-text.ts'),
    import('#kernel/jobs/leases.ts'),
    import('./plaid.ts'),
  ]);
  const workers = once(async () => (await import('./connector-workers.ts')).createConnectorWorkers());
  const mailWorkers = once(async () => (await import('./extract-workers.ts')).createMailWorkers());
  const integrations = createIntegrations({
    ...rest,
    workers,
    leases: createLeases(rest),
    plaid: plaidSource(settings),
    sealed: createSealedText(keys().derive('integration-secrets')),
    metrics: { own: ownMetrics, prometheus: once(async () => openPrometheus(settings)) },
    analytics: { source: once(async () => openAnalyticsSource(settings, rest.storage)), flush: recorder?.flush },
    outbound: once(async () =>
      (await import('#kernel/outbound/outbound.ts')).createOutbound({
        allow: settings.outboundAllow,
        proxy: { http: settings.httpProxy, https: settings.httpsProxy, except: settings.proxyBypass },
      }),
    ),
    async readMail(mail, tenant, signal) {
      const { mailCpuMs: cpuMs, mailWallMs: wallMs } = integrationLimits;
      return (await mailWorkers()).run(mailTask, mail, { tenant, signal, cpuMs, wallMs, what: 'Reading it' });
    },
    sink: {
      submit: async (payloads, call, after) => (await truth()).payloads.submitMany(payloads, call, after),
      check: async (payloads, call) => (await truth()).payloads.checkMany(payloads, call),
    },
  });
  return {
    ...integrations,
    async close() {
      await integrations.close();
      await (await workers.peek())?.close();
      await (await mailWorkers.peek())?.close();
    },
  };
}

/** Loads the domain only if a run is open: a process that was killed may have left it. */
export const createResumeJob = (
  storage: Storage,
  tenants: () => Promise<readonly TenantId[]>,
  integrations: () => Promise<Pick<Integrations, 'syncs'>>,
): PeriodicJob => ({
  name: 'resume-syncs',
  everyMs: integrationLimits.syncResumeEveryMs,
  run: forEachTenant(tenants, async (tenant) => {
    const { listOpenRuns } = await import('#domains/integrations/connectors/connector-store.ts');
    const open = await storage.read(systemCall('resume-syncs', { tenant }), (db) => listOpenRuns(db));
    if (open.length > 0) await (await integrations()).syncs.resume(tenant);
  }),
});
