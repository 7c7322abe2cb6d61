import { createHmac, timingSafeEqual } from 'node:crypto';
import { type TenantId, toTenantId } from '#kernel/call.ts';
import { truthLimits } from '../truth-limits.ts';
import type { FileAddress } from './file-address.ts';

/** What a signed address stands for. */
export interface Grant extends FileAddress {
  readonly tenant: TenantId;
  readonly expiresAtS: number;
}

export interface Signer {
  sign(grant: Grant): string;
  /** Undefined for what was not signed with this key, or was changed. Says nothing about its time. */
  open(token: string): Grant | undefined;
}

const macBytes = 32;

/** [TR26] Nobody reads anything in a token before its MAC is proven. */
export function createSigner(key: Uint8Array): Signer {
  const macOf = (body: Uint8Array): Buffer => createHmac('sha256', key).update(body).digest();
  return {
    sign({ tenant, bucket, sha256, expiresAtS }) {
      const body = Buffer.from(JSON.stringify([tenant, bucket, sha256, expiresAtS]));
      return Buffer.concat([macOf(body), body]).toString('base64url');
    },
    open(token) {
      if (token.length > truthLimits.signedTokenChars) return undefined;
      const sealed = Buffer.from(token, 'base64url');
      // Decoding forgives stray characters; a token has one spelling only.
      if (sealed.length <= macBytes || sealed.toString('base64url') !== token) return undefined;
      const body = sealed.subarray(macBytes);
      if (!timingSafeEqual(sealed.subarray(0, macBytes), macOf(body))) return undefined;
      const [tenant, bucket, sha256, expiresAtS] = JSON.parse(body.toString()) as [string, string, string, number];
      return { tenant: toTenantId(tenant), bucket, sha256, expiresAtS };
    },
  };
}
