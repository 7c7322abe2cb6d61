import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { parseConfig, type ReadConfigFile } from '../gates/config-files.ts';
import type { OwnerRule } from '../rules/owners.ts';

const ownersFileName = 'owners.json';

const ownersFile = z.object({
  ownership: z.array(z.object({ pattern: z.string(), owner: z.string().min(1).max(200) })),
});

function parseOwners(text: string): readonly OwnerRule[] {
  const parsed = ownersFile.safeParse(parseConfig(ownersFileName, text));
  if (parsed.success) return parsed.data.ownership;
  throw faults.VALIDATION_ERROR(
    { why: `${ownersFileName} must be {"ownership":[{"pattern","owner"}]}` },
    { file: ownersFileName },
  );
}

/** The rules of the caller's owners.json; the same array as long as the file has the same text. */
export function createOwnerRules(readConfigFile: ReadConfigFile): (call: Call) => Promise<readonly OwnerRule[]> {
  let known: { readonly text: string; readonly rules: readonly OwnerRule[] } = { text: '', rules: [] };
  return async (call) => {
    const text = await readConfigFile(ownersFileName, call);
    if (text === undefined) return [];
    if (known.text !== text) known = { text, rules: parseOwners(text) };
    return known.rules;
  };
}
