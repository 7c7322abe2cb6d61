import { randomBytes } from 'node:crypto';
import { type Scope, type TenantId, toTenantId } from '../call.ts';
import { hmacHex } from '../hash/hash.ts';
import { isTenantText } from './tenants-and-scopes.ts';

const idBytes = 8;
const secretBytes = 24;

/** The parts of a key as a user holds it: `ff_<tenant>_<id>_<secret>`. */
export interface PresentedKey {
  /** Where to look. Only claimed until the HMAC, which covers it, proves it. */
  readonly tenant: TenantId;
  readonly id: string;
  readonly secret: string;
}

/** The rights of a key; its HMAC covers them, so an edited row is an invalid key and not a stronger one. */
export interface KeyGrant {
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | undefined;
}

export const keyPrefix = 'ff_';

// Lengths are fixed from the end, so that a tenant whose base64url contains `_` is unambiguous.
const shape = new RegExp(`^${keyPrefix}([\\w-]+)_([0-9a-f]{${idBytes * 2}})_([0-9a-f]{${secretBytes * 2}})$`);

export const makeKey = (tenant: TenantId): PresentedKey => ({
  tenant,
  id: randomBytes(idBytes).toString('hex'),
  secret: randomBytes(secretBytes).toString('hex'),
});

const encodeTenant = (tenant: string): string => Buffer.from(tenant).toString('base64url');

export const toKeyText = ({ tenant, id, secret }: PresentedKey): string =>
  `${keyPrefix}${encodeTenant(tenant)}_${id}_${secret}`;

export function parseKey(text: string): PresentedKey | undefined {
  const [, encoded, id, secret] = shape.exec(text) ?? [];
  if (encoded === undefined || id === undefined || secret === undefined) return undefined;
  const tenant = Buffer.from(encoded, 'base64url').toString();
  // The last letter of base64url has spare bits: without the round trip, several texts would be one key.
  if (!isTenantText(tenant) || encodeTenant(tenant) !== encoded) return undefined;
  return { tenant: toTenantId(tenant), id, secret };
}

export const keyMac = (hmacKey: Uint8Array, key: PresentedKey, grant: KeyGrant): string =>
  hmacHex(hmacKey, [key.tenant, key.id, grant.scopes.join(' '), grant.expiresAt ?? '', key.secret].join('\0'));
