import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder, runProgram, type Served, serveProgram } from '#tests/support/program.ts';
import { type Json, mutationOn, openCatalog, type Reply } from './catalog-program.fixture.ts';
import { engines, openOn } from './engines.fixture.ts';

type Env = Readonly<Record<string, string>>;

interface Shown {
  readonly proposal_id: string;
  readonly id: string;
  readonly state: string;
  readonly by: string;
  readonly stale?: boolean;
  readonly diff: string;
}

interface Proposed {
  readonly proposed?: boolean;
  readonly proposal_id: string;
  readonly proposal_ids?: readonly string[];
}

/** A client of the HTTP server with one key, by plain methods. */
function connect(served: Served, key: string) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  async function call(action: string, args: Json = {}): Promise<Reply> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: `instructions/${action}`, params: args });
    const answer = await fetch(new URL('/mcp', served.url), { method: 'POST', headers, body });
    const { result, error } = (await answer.json()) as { result?: Json; error?: Required<Reply>['error'] };
    return error === undefined ? { value: result ?? {} } : { error };
  }
  async function ask<T = Json>(action: string, args: Json = {}): Promise<T> {
    const { value, error } = await call(action, args);
    if (error !== undefined) throw new Error(`${action} failed: ${JSON.stringify(error)}`);
    return value as T;
  }
  async function refusal(action: string, args: Json = {}) {
    const { value, error } = await call(action, args);
    if (error === undefined) throw new Error(`${action} did not fail: ${JSON.stringify(value)}`);
    return error;
  }
  return { call, ask, refusal };
}

const rule = (id: string, body: string, more: Json = {}) => ({
  entry: { id, body, owner: 'platform', categories: ['git'], ...more },
  lax: true,
});

describe.each(engines)('[IN52] proposals of a writer, decided by an admin over HTTP, with %s', (engine) => {
  let served: Served;
  let lead: ReturnType<typeof connect>;
  let agent: ReturnType<typeof connect>;
  const undo: (() => unknown)[] = [];

  beforeAll(async () => {
    const { folder, remove } = makeFolder();
    undo.push(remove);
    const env: Record<string, string> = { FOURFOLD_HOME: folder, FOURFOLD_LOG_LEVEL: 'error', ...mutationOn };
    if (engine === 'PostgreSQL') {
      const { url, drop } = await createTestDatabase();
      undo.push(drop);
      env['FOURFOLD_DATABASE_URL'] = url;
    }
    served = await serveProgram(env);
    undo.push(() => served.stop());
    const keyWith = async (scopes: string) => {
      const { stdout } = await runProgram(['keys', 'create', '--name', scopes, '--scopes', scopes, '--json'], env);
      return (JSON.parse(stdout) as { key: string }).key;
    };
    lead = connect(served, await keyWith('admin'));
    agent = connect(served, await keyWith('write'));
  });
  afterAll(async () => {
    for (const step of undo.toReversed()) await step();
  });

  const bodyOf = async (id: string) => (await agent.ask<{ item?: { body: string } }>('get', { id })).item?.body;
  const hashes = async () => [
    (await lead.ask<{ hash: string }>('list', { limit: 1 })).hash,
    (await lead.ask<{ governanceHash: string }>('governanceHash', {})).governanceHash,
  ];
  const open = async (more: Json = {}) => (await lead.ask<{ items: readonly Shown[] }>('proposals', more)).items;

  it('an agent proposes a better rule, the lead reviews and approves it, and the history names both', async () => {
    await lead.ask('add', rule('commit-style', 'Write in the imperative.\nKeep it short.', { tags: ['style'] }));
    const before = await hashes();
    expect(before).toEqual(before.map(() => expect.stringMatching(/^[0-9a-f]{64}$/) as string));
    const changed = {
      id: 'commit-style',
      body: 'Write in the imperative.\nKeep it below 72 characters.',
      priority: 30,
    };
    const proposed = await agent.ask<Proposed>('propose', { entry: changed, reason: 'short is vague' });
    expect(proposed).toMatchObject({
      proposed: true,
      id: 'commit-style',
      what: 'update',
      diff: ' Write in the imperative.\n-Keep it short.\n+Keep it below 72 characters.',
      changes: { priority: { before: 50, after: 30 } },
    });
    expect(await bodyOf('commit-style')).toContain('Keep it short.');
    expect(await hashes()).toEqual(before);
    expect(await lead.ask('diff', { clientHash: before[0] })).toMatchObject({ upToDate: true });
    expect(await lead.ask('search', { q: 'below' })).toMatchObject({ count: 0 });
    expect(JSON.stringify(await lead.ask('export', {}))).not.toContain('below 72');

    const [shown] = await open({ id: 'commit-style' });
    expect(shown).toMatchObject({
      proposal_id: proposed.proposal_id,
      state: 'pending',
      by: expect.stringMatching(/^key:/) as string,
      reason: 'short is vague',
      stale: false,
      ageDays: 0,
    });
    expect(await lead.ask('approve', { proposal_id: proposed.proposal_id, reason: 'agreed' })).toMatchObject({
      approved: true,
      already: false,
      proposedBy: shown?.by,
      version: '1.0.1',
    });
    expect(await bodyOf('commit-style')).toBe('Write in the imperative.\nKeep it below 72 characters.');
    expect(await lead.ask('get', { id: 'commit-style' })).toMatchObject({
      item: {
        priority: 30,
        reviewIntervalDays: 60,
        tags: ['style'],
        status: 'approved',
        semanticSummary: 'Write in the imperative.',
        changeLog: [{}, { version: '1.0.1', summary: 'short is vague' }],
      },
    });
    const { versions } = await lead.ask<{ versions: Json[] }>('history', { id: 'commit-style' });
    expect(versions[0]).toMatchObject({
      what: 'update',
      by: shown?.by,
      reason: 'short is vague',
      proposal_id: proposed.proposal_id,
      approvedBy: expect.stringMatching(/^key:/) as string,
    });
    expect(versions[0]?.['approvedBy']).not.toBe(shown?.by);
    expect(versions[1]).not.toHaveProperty('approvedBy');
    expect(await open({ id: 'commit-style' })).toEqual([]);
    expect(await open({ id: 'commit-style', state: 'approved' })).toMatchObject([
      { decidedBy: versions[0]?.['approvedBy'], decision: 'agreed' },
    ]);
  });

  it('every documented write of an agent is a proposal and answers so, also for a new id', async () => {
    await lead.ask('add', rule('documented', 'One.'));
    await lead.ask('add', rule('doomed', 'Old.'));
    await lead.ask('add', rule('described', 'One.', { description: 'Dropped by a replacement.' }));
    const kept = await hashes();
    const added = await agent.ask<Proposed>('add', rule('brand-new', 'A new rule.'));
    expect(added).toMatchObject({
      created: false,
      overwritten: false,
      skipped: false,
      verified: false,
      proposed: true,
    });
    const overwrite = await agent.ask<Proposed>('add', { ...rule('documented', 'Two.'), overwrite: true });
    expect(overwrite).toMatchObject({ created: false, overwritten: false, proposed: true });
    const entries = ['imported-a', 'imported-b'].map((id) => ({ id, body: `Body of ${id}.` }));
    const replaced = await agent.ask<Proposed>('add', { ...rule('described', 'Two.'), replace: true });
    expect(replaced).toMatchObject({ overwritten: false, proposed: true });
    const imported = await agent.ask<Proposed>('import', { entries });
    expect(imported).toMatchObject({ imported: 0, overwritten: 0, total: 2, errors: [], proposed: true });
    expect(imported.proposal_ids).toHaveLength(2);
    const removed = await agent.ask<Proposed>('remove', { ids: ['doomed', 'nothing'] });
    expect(removed).toMatchObject({ removed: 0, removedIds: [], missing: ['nothing'], proposed: true });
    expect(removed.proposal_ids).toEqual([removed.proposal_id]);
    const governed = await agent.ask<Proposed>('governanceUpdate', { id: 'documented', owner: 'me', bump: 'minor' });
    expect(governed).toMatchObject({ changed: false, newVersion: '1.0.0', changedFields: ['owner'], proposed: true });
    expect(await hashes()).toEqual(kept);
    for (const id of ['brand-new', 'imported-a'])
      expect(await lead.ask('get', { id })).toMatchObject({ notFound: true });

    for (const { proposal_id } of [added, governed, removed, replaced]) await lead.ask('approve', { proposal_id });
    for (const proposal_id of imported.proposal_ids ?? []) await lead.ask('approve', { proposal_id });
    expect(await bodyOf('brand-new')).toBe('A new rule.');
    expect(await bodyOf('imported-b')).toBe('Body of imported-b.');
    expect(await bodyOf('doomed')).toBeUndefined();
    const { item } = await lead.ask<{ item: Json }>('get', { id: 'described' });
    expect(item).toMatchObject({ body: 'Two.', owner: 'platform' });
    expect(item).not.toHaveProperty('description');
    expect(await lead.ask('get', { id: 'documented' })).toMatchObject({
      item: { body: 'One.', owner: 'me', version: '1.1.0' },
    });
  });

  it('a groom of an agent proposes one change per entry', async () => {
    const same = { id: 'twin-a', body: 'The same rule twice.', owner: 'platform', categories: ['twins'] };
    await lead.ask('add', { entry: same, lax: true });
    await lead.ask('add', { entry: { ...same, id: 'twin-b' }, lax: true });
    const groomed = await agent.ask<Proposed>('groom', { mode: { mergeDuplicates: true } });
    expect(groomed).toMatchObject({ filesRewritten: 0, duplicatesMerged: 0, dryRun: false, proposed: true });
    expect(await lead.ask('get', { id: 'twin-b' })).toMatchObject({ item: { status: 'approved' } });
    for (const proposal_id of groomed.proposal_ids ?? []) await lead.ask('approve', { proposal_id });
    expect(await lead.ask('get', { id: 'twin-b' })).toMatchObject({
      item: { status: 'deprecated', deprecatedBy: 'twin-a' },
    });
  });

  it('rejects one with a reason that its author reads, and the author withdraws another', async () => {
    await lead.ask('add', rule('kept', 'As it is.'));
    const propose = (body: string) => agent.ask<Proposed>('propose', { entry: { id: 'kept', body } });
    const first = await propose('Worse.');
    const second = await propose('Much worse.');
    expect((await open({ id: 'kept' })).map(({ proposal_id }) => proposal_id).toSorted()).toEqual(
      [first.proposal_id, second.proposal_id].toSorted(),
    );
    const reason = 'contradicts the release rule';
    expect(await lead.ask('reject', { proposal_id: first.proposal_id, reason })).toMatchObject({ rejected: true });
    expect(await agent.ask('proposals', { proposal_id: first.proposal_id })).toMatchObject({
      items: [{ state: 'rejected', decision: reason }],
    });
    expect(await lead.refusal('propose', { withdraw: second.proposal_id })).toMatchObject({
      code: -32004,
      message: expect.stringContaining('an admin rejects it') as string,
    });
    expect(await agent.ask('propose', { withdraw: second.proposal_id })).toMatchObject({ withdrawn: true });
    for (const { proposal_id } of [first, second]) {
      expect(await lead.refusal('approve', { proposal_id })).toMatchObject({
        code: -32002,
        message: expect.stringMatching(/was (rejected|withdrawn) by .* at .*; propose the change again/) as string,
      });
    }
    expect(await bodyOf('kept')).toBe('As it is.');
  });

  it('refuses a proposal with a password or key', async () => {
    const body = 'Always deploy with the token ghp_0123456789abcdefghijABCDEFGHIJ012345.';
    expect(await agent.refusal('propose', { entry: { id: 'with-token', body } })).toMatchObject({
      message: expect.stringContaining('password or key') as string,
    });
    expect(await open({ id: 'with-token' })).toEqual([]);
  });

  it('approving an outdated proposal is a conflict with three texts, and rebase sets what was proposed', async () => {
    await lead.ask('add', rule('moving', 'First.'));
    const { proposal_id } = await agent.ask<Proposed>('propose', { entry: { id: 'moving', body: 'Proposed.' } });
    await lead.ask('add', { ...rule('moving', 'Second.'), overwrite: true });
    await lead.ask('governanceUpdate', { id: 'moving', owner: 'someone-else' });
    expect(await open({ id: 'moving' })).toMatchObject([{ stale: true }]);
    expect(await lead.refusal('approve', { proposal_id })).toMatchObject({
      code: -32002,
      message: expect.stringContaining('rebase: true') as string,
      data: { name: 'CONFLICT', base: 'First.', current: 'Second.', proposed: 'Proposed.' },
    });
    expect(await bodyOf('moving')).toBe('Second.');
    await lead.ask('approve', { proposal_id, rebase: true });
    expect(await lead.ask('get', { id: 'moving' })).toMatchObject({
      item: { body: 'Proposed.', owner: 'someone-else', version: '1.0.2' },
    });

    const late = await agent.ask<Proposed>('propose', { entry: { id: 'moving', body: 'Late.' } });
    const gone = await agent.ask<Proposed>('propose', { remove: 'moving' });
    await lead.ask('remove', { ids: ['moving'] });
    for (const one of [late, gone]) {
      for (const rebase of [false, true]) {
        expect(await lead.refusal('approve', { proposal_id: one.proposal_id, rebase })).toMatchObject({
          code: -32002,
          message: expect.stringContaining('was removed after the proposal') as string,
        });
      }
    }
    const taken = await agent.ask<Proposed>('add', rule('taken', 'Mine.'));
    await lead.ask('add', rule('taken', 'Theirs.'));
    expect(await lead.refusal('approve', { proposal_id: taken.proposal_id })).toMatchObject({
      data: { base: null, current: 'Theirs.', proposed: 'Mine.' },
    });
  });

  it('two people who approve together make the change once', async () => {
    await lead.ask('add', rule('race', 'One.'));
    const { proposal_id } = await agent.ask<Proposed>('propose', { entry: { id: 'race', body: 'Two.' } });
    const answers = await Promise.all(Array.from({ length: 6 }, () => lead.call('approve', { proposal_id })));
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => undefined));
    expect(answers.filter(({ value }) => value?.['already'] === false)).toHaveLength(1);
    expect(await lead.ask('history', { id: 'race' })).toMatchObject({ count: 2 });
    expect(await lead.ask('get', { id: 'race' })).toMatchObject({ item: { body: 'Two.', version: '1.0.1' } });
  });

  it('approving and rejecting together leaves one decision', async () => {
    await lead.ask('add', rule('verdict', 'One.'));
    const { proposal_id } = await agent.ask<Proposed>('propose', { entry: { id: 'verdict', body: 'Two.' } });
    await Promise.all([lead.call('approve', { proposal_id }), lead.call('reject', { proposal_id, reason: 'no' })]);
    const [{ state } = { state: '' }] = await open({ id: 'verdict', state: 'all' });
    expect(await bodyOf('verdict')).toBe(state === 'approved' ? 'Two.' : 'One.');
  });

  it('an agent cannot decide, and what it may not propose is refused with the scope', async () => {
    const { proposal_id } = await agent.ask<Proposed>('add', rule('mine', 'x'));
    for (const [action, args] of [
      ['approve', { proposal_id }],
      ['reject', { proposal_id, reason: 'x' }],
      ['rollback', { id: 'commit-style', to: 1 }],
      ['restore', { ids: ['doomed'] }],
      ['enrich', {}],
      ['repair', {}],
    ] as const) {
      expect(await agent.refusal(action, args), action).toMatchObject({
        code: -32004,
        message: expect.stringContaining('scope admin') as string,
      });
    }
    expect(await open({ id: 'mine' })).toHaveLength(1);
  });

  it('finds proposals by words and shows them page by page', async () => {
    await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        agent.ask('propose', { entry: { id: `paged-${n}`, body: `Rotate the Zebra KÜCHE keys, part ${n}.` } }),
      ),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: { items: readonly Shown[]; nextCursor?: string } = await lead.ask('proposals', {
        query: 'zebra küche rotate',
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(Array.from({ length: 5 }, (_, n) => `paged-${n}`));
    expect(await open({ query: 'zebra 100%' })).toEqual([]);
  });

  it('the same proposal is not kept twice, and one that changes nothing is not kept', async () => {
    await lead.ask('add', rule('twice', 'One.'));
    const twice = { entry: { id: 'twice', body: 'Two.' } };
    const [first, second] = [await agent.ask<Proposed>('propose', twice), await lead.ask<Proposed>('propose', twice)];
    expect(second.proposal_id).toBe(first.proposal_id);
    expect(await agent.ask('propose', { entry: { id: 'twice', body: 'One.' } })).toMatchObject({ proposed: false });
    expect(await open({ id: 'twice' })).toHaveLength(1);
  });

  it('refuses what cannot become a rule, and a proposal on a proposal, with the fix', async () => {
    const { proposal_id } = await agent.ask<Proposed>('add', rule('target', 'x'));
    const refusals: readonly (readonly [Json, number, string])[] = [
      [{}, -32602, 'either entry, remove, withdraw or reopen'],
      [{ entry: { id: 'a', body: 'x' }, remove: 'a' }, -32602, 'either'],
      [{ entry: { id: proposal_id, body: 'x' } }, -32002, `is a proposal for target`],
      [{ remove: proposal_id }, -32002, 'propose a change of target'],
      [{ remove: 'never-there' }, -32602, 'never-there'],
      [{ withdraw: 'p-never' }, -32602, 'instructions/proposals lists them'],
      [{ entry: { id: '../x', body: 'x' } }, -32002, 'invalid id'],
      [{ entry: { id: 'new-one' } }, -32002, 'missing body'],
      [{ entry: { id: 'new-one', body: 'x'.repeat(50_001) } }, -32001, '50000'],
      [{ entry: { id: 'new-one', body: 'x', requirement: 'mandatory' } }, -32002, 'require owner'],
      [{ entry: { id: 'new-one', body: 'x', bogus: 1 } }, -32002, 'bogus'],
      [{ entry: { id: 'commit-style', body: 'x' }, base: 'another' }, -32002, 'read it and propose again'],
    ];
    const before = await open({ state: 'all', limit: 100 });
    for (const [args, code, message] of refusals) {
      const error = await agent.refusal('propose', args);
      expect(error.message, JSON.stringify(args)).toContain(message);
      if (code !== -32602) expect(error.code).toBe(code);
    }
    expect(await open({ state: 'all', limit: 100 })).toEqual(before);
  });
});

describe.each(engines)('[IN53] proposing while the mutation gate is shut, with %s', (engine) => {
  it('an agent on stdio proposes, cannot approve, and a person at the command line can', async () => {
    const env: Env = {};
    const program = await openOn(engine, env, { 'a.json': { id: 'a', body: 'One.', owner: 'o', categories: ['c'] } });
    const { proposal_id } = await program.value<Proposed>('tools/call', 'instructions/propose', {
      entry: { id: 'a', body: 'Two.' },
      reason: 'better',
    });
    for (const [name, args, helps] of [
      ['instructions/approve', { proposal_id }, 'fourfold instructions approve <proposal_id>'],
      ['instructions/reject', { proposal_id, reason: 'x' }, 'instructions/propose {"withdraw"'],
      ['instructions/add', { entry: { id: 'a', body: 'Three.' }, overwrite: true }, 'instructions/propose'],
    ] as const) {
      expect(await program.error('tools/call', name, args)).toMatchObject({
        code: -32000,
        data: { name: 'MUTATION_DISABLED', suggestion: expect.stringContaining(helps) as string },
      });
    }
    const command = async (...args: readonly string[]) => {
      const run = await runProgram(['instructions', ...args, '--json'], program.env);
      if (run.code !== 0) throw new Error(run.stderr);
      return JSON.parse(run.stdout) as Json;
    };
    expect(await command('proposals')).toMatchObject({ items: [{ proposal_id, diff: '-One.\n+Two.' }] });
    expect(await command('approve', proposal_id)).toMatchObject({ approved: true });
    expect(await program.value('tools/call', 'instructions/get', { id: 'a' })).toMatchObject({
      item: { body: 'Two.' },
    });
    const other = await command('propose', '--remove', 'a');
    expect(await command('reject', String(other['proposal_id']), '--reason', 'still needed')).toMatchObject({
      rejected: true,
    });
    await program.close();
  });
});

describe('[IN53] a read-only server', () => {
  it('refuses proposals and still lists them', async () => {
    const program = await openCatalog({ FOURFOLD_READ_ONLY: '1' });
    expect(await program.error('tools/call', 'instructions/propose', { entry: { id: 'a', body: 'x' } })).toMatchObject({
      code: -32004,
      data: { name: 'READ_ONLY' },
    });
    expect(await program.value('tools/call', 'instructions/proposals')).toMatchObject({ items: [] });
    await program.close();
  });
});

describe('[IN52] many proposals', () => {
  it('are refused as a whole beyond the limit', async () => {
    const { folder, remove } = makeFolder();
    const env = { FOURFOLD_HOME: folder, FOURFOLD_LOG_LEVEL: 'error', ...mutationOn };
    const served = await serveProgram(env);
    const { stdout } = await runProgram(['keys', 'create', '--name', 'w', '--scopes', 'write', '--json'], env);
    const agent = connect(served, (JSON.parse(stdout) as { key: string }).key);
    const entries = Array.from({ length: 1_001 }, (_, n) => ({ id: `many-${n}`, body: `Rule ${n}.` }));
    const refused = { code: -32001, message: expect.stringContaining('decided or withdrawn first') as string };
    expect(await agent.refusal('import', { entries })).toMatchObject(refused);
    expect(await agent.ask('proposals')).toMatchObject({ items: [] });
    const { proposal_ids = [] } = await agent.ask<Proposed>('import', { entries: entries.slice(0, 1_000) });
    expect(new Set(proposal_ids).size).toBe(1_000);
    expect(await agent.refusal('add', rule('one-more', 'x'))).toMatchObject(refused);
    expect(await agent.ask('import', { entries: entries.slice(0, 200) })).toMatchObject({
      proposal_ids: proposal_ids.slice(0, 200),
    });
    await agent.ask('propose', { withdraw: proposal_ids[0] ?? '' });
    expect(await agent.ask('add', rule('one-more', 'x'))).toMatchObject({ proposed: true });
    await served.stop();
    remove();
  });
});
