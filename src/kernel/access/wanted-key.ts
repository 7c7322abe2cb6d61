import type { Scope, TenantId } from '../call.ts';
import { faults } from '../fault/kernel-faults.ts';
import { accessLimits } from './access-limits.ts';
import { toScopes } from './scopes.ts';
import { isTenantText } from './tenant-text.ts';

export interface WantedKey {
  readonly tenant: TenantId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: number | undefined;
  /** Who asks, for the audit row. */
  readonly actor?: string;
}

/** Why no such key can be made, or undefined. */
function flaw({ tenant, name, scopes, expiresAt }: WantedKey, now: number): string | undefined {
  if (!isTenantText(tenant)) {
    return `a tenant is 1 to ${accessLimits.tenantChars} letters, digits, dots, dashes or underscores`;
  }
  if (name.trim() === '' || name.length > accessLimits.keyNameChars || /\p{Cc}|\p{Cs}/u.test(name)) {
    return `the name of a key is one line of 1 to ${accessLimits.keyNameChars} characters`;
  }
  if (scopes.length === 0 || toScopes(scopes).length !== new Set(scopes).size) {
    return 'a key has at least one of the scopes read, write, admin, and no other';
  }
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt > now)) {
    return 'a key expires in the future or never';
  }
  return undefined;
}

export function checkWantedKey(wanted: WantedKey, now: number): void {
  const why = flaw(wanted, now);
  if (why !== undefined) throw faults.VALIDATION_ERROR({ why });
}
