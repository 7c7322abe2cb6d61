import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TenantId } from '../call.ts';
import { faults } from '../fault/kernel-faults.ts';

export const cursorLimits = {
  /** The maximum that a client carries from page to page. */
  cursorChars: 2_048,
  /** 128 bits cannot be guessed and keep the cursor short. */
  cursorMacBytes: 16,
} as const;

/** The position in a list, as opaque text that only its tool and tenant can use. */
export interface Cursors {
  seal(tool: string, tenant: TenantId, state: unknown): string;
  /** The sealed state, perhaps of an older version: the caller parses it. */
  open(tool: string, tenant: TenantId, text: string): unknown;
}

/** For every list with a cursor. */
export const cursorFix = 'Leave out cursor to start again, then pass the cursor of the last page unchanged.';

const invalidCursor = () =>
  faults.INVALID_PARAMS({ why: 'the cursor is not from this tool' }, { field: 'cursor', fix: cursorFix });

export function createCursors(key: Uint8Array): Cursors {
  const toMac = (tool: string, tenant: TenantId, body: Uint8Array): Buffer =>
    createHmac('sha256', key)
      .update(`${JSON.stringify([tool, tenant])}\n`)
      .update(body)
      .digest()
      .subarray(0, cursorLimits.cursorMacBytes);

  return {
    seal(tool, tenant, state) {
      const body = Buffer.from(JSON.stringify(state));
      const text = Buffer.concat([toMac(tool, tenant, body), body]).toString('base64url');
      if (text.length > cursorLimits.cursorChars)
        throw new Error(`bug: the cursor of ${tool} has ${text.length} characters`);
      return text;
    },
    open(tool, tenant, text) {
      if (text.length > cursorLimits.cursorChars) throw invalidCursor();
      const sealed = Buffer.from(text, 'base64url');
      // Decoding ignores stray characters, but a cursor has only one spelling.
      if (sealed.length <= cursorLimits.cursorMacBytes || sealed.toString('base64url') !== text) throw invalidCursor();
      const body = sealed.subarray(cursorLimits.cursorMacBytes);
      if (!timingSafeEqual(sealed.subarray(0, cursorLimits.cursorMacBytes), toMac(tool, tenant, body)))
        throw invalidCursor();
      return JSON.parse(body.toString()) as unknown;
    },
  };
}
