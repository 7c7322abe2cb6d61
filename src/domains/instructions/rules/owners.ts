import type { Call } from '#kernel/call.ts';
import { isPatternFault, type RegexRunner } from '#kernel/workers/regex-runner.ts';

/** Entries whose id matches the pattern belong to the owner. */
export interface OwnerRule {
  readonly pattern: string;
  readonly owner: string;
}

const ownerLimits = { patternChars: 200 } as const;

/** A pattern that does not compile, is too long or runs into its deadline matches no id. */
async function matchIds(
  regex: Pick<RegexRunner, 'test'>,
  { pattern }: OwnerRule,
  ids: readonly string[],
  call: Pick<Call, 'tenant' | 'signal'>,
): Promise<readonly boolean[]> {
  if (pattern === '*') return ids.map(() => true);
  if (pattern.length > ownerLimits.patternChars) return [];
  try {
    return await regex.test({ source: pattern, texts: ids, tenant: call.tenant, signal: call.signal });
  } catch (error) {
    if (isPatternFault(error)) return [];
    throw error;
  }
}

/** The owner of each id, named by the first rule that matches it. */
export async function findOwners(
  ids: readonly string[],
  rules: readonly OwnerRule[],
  regex: Pick<RegexRunner, 'test'>,
  call: Pick<Call, 'tenant' | 'signal'>,
): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for (const rule of rules) {
    const left = ids.filter((id) => !owners.has(id));
    if (left.length === 0) break;
    const matches = await matchIds(regex, rule, left, call);
    for (const id of left.filter((_, i) => matches[i])) owners.set(id, rule.owner);
  }
  return owners;
}
