import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localTenant } from '#kernel/call.ts';
import { poolEntry } from '#kernel/workers/pool-entry.ts';
import { createRegexRunner, type RegexRunner } from '#kernel/workers/regex-runner.ts';
import { createWorkers, type Workers } from '#kernel/workers/workers.ts';
import { findOwners, type OwnerRule } from './owners.ts';

describe('owners by pattern', () => {
  let workers: Workers;
  let regex: RegexRunner;
  beforeAll(() => {
    workers = createWorkers({ entry: poolEntry, threadsCount: 1 });
    regex = createRegexRunner(workers);
  });
  afterAll(() => workers.close());

  const call = { tenant: localTenant, signal: new AbortController().signal };
  const ownersOf = async (ids: readonly string[], rules: readonly OwnerRule[]) => {
    const owners = await findOwners(ids, rules, regex, call);
    return ids.map((id) => owners.get(id));
  };

  it('[IN31] takes the owner from the first rule that matches', async () => {
    const rules = [
      { pattern: '^auth-', owner: 'security' },
      { pattern: '-ui$', owner: 'design' },
    ];
    expect(await ownersOf(['auth-ui', 'login-ui', 'other'], rules)).toEqual(['security', 'design', undefined]);
    expect(await ownersOf(['other'], [...rules, { pattern: '*', owner: 'all' }])).toEqual(['all']);
  });

  it.each(['(', '(a+)+$', '(a|a)*b', 'x'.repeat(201)])(
    '[IN31] [IN33] ignores the pattern %j and applies the next rule',
    async (pattern) => {
      const rules = [
        { pattern, owner: 'unused' },
        { pattern: '^a', owner: 'a-team' },
      ];
      expect(await ownersOf([`${'a'.repeat(119)}c`], rules)).toEqual(['a-team']);
    },
  );
});
