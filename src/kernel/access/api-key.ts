import { randomBytes } from 'node:crypto';
import { type Scope, type TenantId, toTenantId } from '../call.ts';
import { hmacHex } from '../hash/hash.ts';
import { isTenantText } from './tenants-and-scopes.ts';

const idBytes = 8;
const secretBytes = 24;

/** `link`: signs one browser in, once. `browser`: the session of a browser, accepted only as a cookie. */
export type KeyPurpose = 'key' | 'link' | 'browser';

/** The parts of a key as a user holds it: `ff_<tenant>_<id>_<secret>`. */
export interface PresentedKey {
  readonly purpose: KeyPurpose;
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
const prefixes = { key: keyPrefix, link: 'ffl_', browser: 'ffs_' } as const;
const purposes = new Map<string, KeyPurpose>(
  Object.entries(prefixes).map(([purpose, prefix]) => [prefix, purpose as KeyPurpose]),
);

// Lengths are fixed from the end, so that a tenant whose base64url contains `_` is unambiguous.
const shape = new RegExp(`^(ff[ls]?_)([\\w-]+)_([0-9a-f]{${idBytes * 2}})_([0-9a-f]{${secretBytes * 2}})$`);

export const makeKey = (tenant: TenantId, purpose: KeyPurpose = 'key'): PresentedKey => ({
  purpose,
  tenant,
  id: randomBytes(idBytes).toString('hex'),
  secret: randomBytes(secretBytes).toString('hex'),
});

const encodeTenant = (tenant: string): string => Buffer.from(tenant).toString('base64url');

export const toKeyText = ({ purpose, tenant, id, secret }: PresentedKey): string =>
  `${prefixes[purpose]}${encodeTenant(tenant)}_${id}_${secret}`;

export function parseKey(text: string): PresentedKey | undefined {
  const [, prefix = '', encoded, id, secret] = shape.exec(text) ?? [];
  const purpose = purposes.get(prefix);
  if (purpose === undefined || encoded === undefined || id === undefined || secret === undefined) return undefined;
  const tenant = Buffer.from(encoded, 'base64url').toString();
  // The last letter of base64url has spare bits: without the round trip, several texts would be one key.
  if (!isTenantText(tenant) || encodeTenant(tenant) !== encoded) return undefined;
  return { purpose, tenant: toTenantId(tenant), id, secret };
}

export const keyMac = (hmacKey: Uint8Array, key: PresentedKey, grant: KeyGrant): string =>
  hmacHex(
    hmacKey,
    [
      ...[key.tenant, key.id, grant.scopes.join(' '), grant.expiresAt ?? '', key.secret],
      // Ordinary keys keep the form that they had before there were others.
      ...(key.purpose === 'key' ? [] : [key.purpose]),
    ].join('\0'),
  );

/** Whether a text has the form of a browser session, which is accepted only as a cookie. */
export const isSessionText = (text: string): boolean => text.startsWith(prefixes.browser);
