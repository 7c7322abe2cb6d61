import { readFileSync } from 'node:fs';
import { type Caller, localTenant, type TenantId, toTenantId } from '../call.ts';
import { faults } from '../fault/kernel-faults.ts';
import { sha256Hex } from '../hash/hash.ts';
import { accessLimits } from './access-limits.ts';
import { isTenantText } from './tenants-and-scopes.ts';

/** Credentials from the settings, by the SHA-256 of each. They read and write; only keys administer. */
export type FixedTokens = ReadonlyMap<string, Caller>;

export interface TokenSources {
  /** One token, of the tenant `local`. */
  readonly token?: string | undefined;
  /** A file with one token per line, `tenant:token` or `token` alone; `#` begins a comment line. */
  readonly file?: string | undefined;
}

interface Line {
  readonly tenant: TenantId;
  readonly token: string;
}

/** The value is a secret, so the message does not repeat it. */
function toLine(text: string, where: string): Line {
  const colon = text.indexOf(':');
  const tenant = colon === -1 ? localTenant : text.slice(0, colon).trim();
  const token = text.slice(colon + 1).trim();
  if (!isTenantText(tenant)) {
    throw faults.CONFIG_ERROR({ why: `${where}: before the colon stands no name of a tenant` });
  }
  if (token.length < accessLimits.tokenMinChars || token.length > accessLimits.bearerChars || /\s/.test(token)) {
    throw faults.CONFIG_ERROR({
      why: `${where}: a token has at least ${accessLimits.tokenMinChars} characters and no blanks`,
    });
  }
  return { tenant: toTenantId(tenant), token };
}

function readLines(file: string): readonly Line[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw faults.CONFIG_ERROR({ why: `the file of tokens cannot be read: ${(error as Error).message}` });
  }
  return text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), where: `line ${i + 1} of the file of tokens` }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, where }) => toLine(line, where));
}

export function openFixedTokens({ token, file }: TokenSources): FixedTokens {
  const lines = [
    ...(token === undefined ? [] : [{ ...toLine(`${localTenant}:${token}`, 'the token of the settings') }]),
    ...(file === undefined ? [] : readLines(file)),
  ];
  const callers = new Map<string, Caller>();
  for (const { tenant, token: secret } of lines) {
    const digest = sha256Hex(secret);
    if (callers.has(digest)) throw faults.CONFIG_ERROR({ why: 'the same token is given twice' });
    callers.set(digest, { tenant, actor: `token:${digest.slice(0, 8)}`, scopes: new Set(['read', 'write']) });
  }
  return callers;
}
