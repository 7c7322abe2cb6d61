import type { Settings } from '#config/settings.ts';
import type { AnalyticsSource } from '#domains/integrations/product-analytics/analytics-source.ts';
import {
  createEventRecorder,
  type EventRecorder,
  type EventRecorderDeps,
} from '#domains/integrations/product-analytics/event-recorder.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { hmacHex } from '#kernel/hash/hash.ts';
import type { Keys } from '#kernel/keys/keys.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openOutbound } from './open-outbound.ts';
import { readSecretFile } from './secret-file.ts';

/** Undefined if no events are captured. */
export function createRecorder(
  { analyticsEvents, readOnly }: Pick<Settings, 'analyticsEvents' | 'readOnly'>,
  deps: Omit<EventRecorderDeps, 'hashActor'>,
  keys: () => Keys,
): EventRecorder | undefined {
  if (!analyticsEvents || readOnly) return undefined;
  const hashActor: EventRecorderDeps['hashActor'] = (tenant, actor) =>
    hmacHex(keys().derive('analytics-users'), `${tenant}\0${actor}`);
  return createEventRecorder({ ...deps, hashActor });
}

/** A setting that another one needs. */
function required(name: keyof Settings, value: string | undefined): string {
  if (value !== undefined) return value;
  throw faults.CONFIG_ERROR({ why: `the analytics service needs the setting ${name}` });
}

/** PostHog or Mixpanel if one is configured, otherwise our own events. */
export async function openAnalyticsSource(
  settings: Settings,
  storage: Pick<Storage, 'read'>,
): Promise<AnalyticsSource> {
  const { posthogUrl, posthogProject, posthogKeyFile, mixpanelUrl, mixpanelProject, mixpanelUser, mixpanelSecretFile } =
    settings;
  if (posthogUrl !== undefined) {
    const { createPostHog } = await import('#domains/integrations/product-analytics/posthog.ts');
    const project = required('posthogProject', posthogProject);
    const file = required('posthogKeyFile', posthogKeyFile);
    const key = () => readSecretFile('posthogKeyFile', file)!;
    return createPostHog({ outbound: await openOutbound(posthogUrl), url: posthogUrl, project, key });
  }
  if (mixpanelUrl !== undefined) {
    const { createMixpanel } = await import('#domains/integrations/product-analytics/mixpanel.ts');
    const project = required('mixpanelProject', mixpanelProject);
    const user = required('mixpanelUser', mixpanelUser);
    const file = required('mixpanelSecretFile', mixpanelSecretFile);
    const secret = () => readSecretFile('mixpanelSecretFile', file)!;
    return createMixpanel({ outbound: await openOutbound(mixpanelUrl), url: mixpanelUrl, project, user, secret });
  }
  const { createEmbeddedSource } = await import('#domains/integrations/product-analytics/embedded-source.ts');
  return createEmbeddedSource(storage);
}
