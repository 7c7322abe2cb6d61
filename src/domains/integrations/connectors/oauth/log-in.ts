import { faults } from '#kernel/fault/kernel-faults.ts';
import { integrationLimits } from '../../integration-limits.ts';
import type { ConnectorDeps, OAuthService } from '../connector.ts';
import { askConsent } from './ask-consent.ts';

export interface Login {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly redirectPort: number | undefined;
  readonly waitSeconds: number | undefined;
}

/** Returns the secret of the connector. The URL goes to stderr: stdout is for the answer. */
export async function logIn(
  service: OAuthService | undefined,
  { clientId, clientSecret, redirectPort, waitSeconds }: Login,
  deps: Pick<ConnectorDeps, 'outbound' | 'now'>,
  signal: AbortSignal,
): Promise<string> {
  if (service === undefined)
    throw faults.VALIDATION_ERROR({ why: 'this provider has no login with the browser' }, { field: 'clientId' });
  if (service.needsClientSecret === true && !clientSecret)
    throw faults.VALIDATION_ERROR(
      { why: 'the provider asks for the secret of the app' },
      { field: 'clientSecretFile' },
    );
  const consent = await askConsent(service, {
    clientId,
    redirectPort,
    waitMs: waitSeconds === undefined ? integrationLimits.loginWaitMs : waitSeconds * 1_000,
    signal,
    show: (url) => process.stderr.write(`Open this page and allow the access:\n${url}\n`),
  });
  return service.exchange({ ...consent, clientId, clientSecret: clientSecret || undefined }, deps, signal);
}
