import type { Settings } from '#config/settings.ts';
import { plaidFaults } from '#domains/integrations/plaid/plaid-faults.ts';
import type { PlaidSource } from '#domains/integrations/plaid/plaid-items.ts';
import { readSecretFile } from './secret-file.ts';

const addresses = { sandbox: 'https://sandbox.plaid.com', production: 'https://production.plaid.com' } as const;

const need = (value: string | undefined, missing: string): string => {
  if (value === undefined || value === '') throw plaidFaults.PLAID_NOT_CONFIGURED({ missing: `${missing} is not set` });
  return value;
};

/** The secret is read and the package loaded when a tool needs them. */
export const plaidSource = (settings: Settings): PlaidSource => ({
  countryCodes: settings.plaidCountryCodes,
  async access() {
    const clientId = need(settings.plaidClientId, 'plaidClientId');
    const secret = need(
      settings.plaidSecret ?? readSecretFile('plaidSecretFile', settings.plaidSecretFile),
      'plaidSecret',
    );
    const url = (settings.plaidUrl ?? addresses[settings.plaidEnvironment]).replace(/\/$/, '');
    const { createOutbound } = await import('#kernel/outbound/outbound.ts');
    // The operator configured this address, so it may be on this machine.
    const configured = settings.plaidUrl === undefined ? [] : [new URL(url).hostname];
    return { clientId, secret, url, outbound: createOutbound({ allow: [...settings.outboundAllow, ...configured] }) };
  },
});
