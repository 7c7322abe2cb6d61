import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionForms, type CallForm, type CatalogProgram, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { type Entry, entryFiles, entryIds, entryInput, hexHash, sha256 } from './entries.fixture.ts';

interface Projection {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly owner: string;
  readonly priorityTier: string;
  readonly nextReviewDue: string;
  readonly semanticSummarySha256: string;
  readonly changeLogLength: number;
}
interface Item extends Projection {
  readonly governance: Projection;
  readonly hash: string;
}
interface Answer {
  readonly count: number;
  readonly governanceHash: string;
  readonly algorithm: string;
  readonly items?: readonly Item[];
}

const keyOrder = [
  ...['id', 'title', 'version', 'owner', 'priorityTier', 'nextReviewDue'],
  ...['semanticSummarySha256', 'changeLogLength'],
];

/** The six documented steps. */
const hashOf = (items: readonly Item[], end = ''): string =>
  sha256(items.map(({ governance }) => JSON.stringify(governance)).join('\n') + end);

describe.each(actionForms)('governance, by %s', (form) => {
  let program: CatalogProgram;
  const ask = <T>(action: string, args: Readonly<Record<string, unknown>> = {}): Promise<T> =>
    program.value<T>(form, `instructions/${action}`, args);
  const governance = (): Promise<Answer> => ask<Answer>('governanceHash', { includeItems: true });

  beforeAll(async () => {
    program = await openCatalog({ ...mutationOn, MCP_AGENT_ID: 'agent-7', WORKSPACE_ID: 'space-9' }, entryFiles);
  });
  afterAll(() => program.close());

  it('hashes the projections in their key order, sorted by id', async () => {
    const { count, governanceHash, algorithm, items = [] } = await governance();
    expect(count).toBe(3);
    expect(algorithm).toBe('sha256');
    expect(items.map(({ id }) => id)).toEqual(entryIds);
    for (const item of items) {
      expect(Object.keys(item.governance)).toEqual(keyOrder);
      expect(item).toMatchObject(item.governance);
      expect(item.hash).toBe(sha256(JSON.stringify(item.governance)));
    }
    expect(governanceHash).toBe(hashOf(items));
  });

  it('includeItems defaults to true for the tool and false for the action', async () => {
    const answer = await ask<Answer>('governanceHash');
    expect(answer.items !== undefined).toBe(!form.startsWith('dispatcher'));
    expect(await ask<Answer>('governanceHash', { includeItems: false })).not.toHaveProperty('items');
  });

  it("an entry's governance hash is that of its projection", async () => {
    const { items = [] } = await governance();
    const { item } = await ask<{ item: Entry }>('get', { id: 'alpha' });
    expect(item.governanceHash).toBe(items[0]?.hash);
  });

  it('[IN30] each governed field changes the hash, and a body edited on disk does not', async () => {
    const seen = new Set([(await governance()).governanceHash]);
    for (const patch of [{ owner: 'new-owner' }, { nextReviewDue: '2030-01-01T00:00:00.000Z' }]) {
      await ask('governanceUpdate', { id: 'beta', patch });
      seen.add((await governance()).governanceHash);
    }
    expect(seen.size).toBe(3);
    const { item } = await ask<{ item: Entry }>('get', { id: 'beta' });
    const before = (await governance()).governanceHash;
    program.writeFile('beta.json', { ...item, body: 'Edited in an editor.' });
    expect((await ask<{ item: Entry }>('get', { id: 'beta' })).item.body).toBe('Edited in an editor.');
    expect((await governance()).governanceHash).toBe(before);
  });

  it('governanceUpdate bumps the version and returns both versions', async () => {
    const { item: before } = await ask<{ item: Entry }>('get', { id: 'gamma' });
    const answer = await ask<object>('governanceUpdate', { id: 'gamma', patch: { owner: 'team-g' }, bump: 'minor' });
    expect(answer).toMatchObject({ id: 'gamma', changed: true, previousVersion: '1.0.0', newVersion: '1.1.0' });
    const { item } = await ask<{ item: Entry }>('get', { id: 'gamma' });
    expect(item).toMatchObject({ owner: 'team-g', version: '1.1.0', sourceHash: before.sourceHash });
    expect(item.changeLog).toHaveLength(before.changeLog.length + 1);
    expect(item.changeLog.at(-1)?.version).toBe('1.1.0');
  });

  it('governanceUpdate accepts flat fields like the patch', async () => {
    const flat = { id: 'gamma', status: 'review', lastReviewedAt: '2026-01-01T00:00:00.000Z' };
    expect(await ask('governanceUpdate', flat)).toMatchObject({ id: 'gamma', changed: true });
    const { item } = await ask<{ item: Entry }>('get', { id: 'gamma' });
    expect(item).toMatchObject({ status: 'review', lastReviewedAt: '2026-01-01T00:00:00.000Z' });
  });

  it('governanceUpdate answers notFound', async () => {
    const { value, error } = await program.call(form, 'instructions/governanceUpdate', {
      id: 'unknown',
      patch: { owner: 'x' },
    });
    expect(value?.['notFound'] === true || error !== undefined).toBe(true);
  });

  it('an overwrite with another body bumps the patch version and the change log', async () => {
    await ask('add', { entry: entryInput('bumped') });
    await ask('add', { entry: entryInput('bumped', { body: 'Another body.' }), overwrite: true });
    const { item } = await ask<{ item: Entry }>('get', { id: 'bumped' });
    expect(item.version).toBe('1.0.1');
    expect(item.changeLog.map(({ version }) => version)).toEqual(['1.0.0', '1.0.1']);
  });

  it('get, edit, overwrite works, and rejects a lower or malformed version', async () => {
    await ask('add', { entry: entryInput('edited', { version: '2.0.0' }) });
    const { item } = await ask<{ item: Entry }>('get', { id: 'edited' });
    const kept = await ask('add', { entry: { ...item, body: 'Edited.' }, overwrite: true });
    expect(kept).toMatchObject({ overwritten: true, verified: true });
    for (const version of ['1.9.9', 'two']) {
      const refused = await ask('add', { entry: { ...item, body: 'Again.', version }, overwrite: true });
      expect(refused).toMatchObject({ created: false, error: expect.stringContaining('version') });
    }
  });

  it('stores the agent and the workspace of an entry', async () => {
    await ask('add', { entry: entryInput('authored') });
    expect((await ask<{ item: Entry }>('get', { id: 'authored' })).item).toMatchObject({
      createdByAgent: 'agent-7',
      sourceWorkspace: 'space-9',
    });
  });

  it('derives tier, review interval and risk from priority and requirement', async () => {
    const cases = [
      [20, 'recommended', 'P1', 30, 100],
      [21, 'recommended', 'P2', 60, 99],
      [41, 'optional', 'P3', 90, 64],
      [71, 'recommended', 'P4', 120, 49],
      [90, 'critical', 'P1', 30, 70],
    ] as const;
    for (const [priority, requirement, priorityTier, reviewIntervalDays, riskScore] of cases) {
      const id = `tier-${priority}`;
      await ask('add', { entry: entryInput(id, { priority, requirement, owner: 'me' }) });
      const { item } = await ask<{ item: Entry }>('get', { id });
      expect(item).toMatchObject({ priorityTier, reviewIntervalDays, riskScore });
    }
  });

  it('moves legacy scope tokens out of the categories', async () => {
    const categories = ['topic', 'scope:workspace:w7', 'scope:user:u7', 'scope:team:t7'];
    await ask('add', { entry: entryInput('scoped', { categories }) });
    expect((await ask<{ item: Entry }>('get', { id: 'scoped' })).item).toMatchObject({
      categories: ['topic'],
      workspaceId: 'w7',
      userId: 'u7',
      teamIds: ['t7'],
    });
  });
});

describe('the governance hash', () => {
  const form: CallForm = 'plain method';

  it('optionally ends with a newline for older servers', async () => {
    const program = await openCatalog({ GOV_HASH_TRAILING_NEWLINE: '1' }, entryFiles);
    const { items = [], governanceHash } = await program.value<Answer>(form, 'instructions/governanceHash');
    expect(governanceHash).toBe(hashOf(items, '\n'));
    await program.close();
  });

  it('is the same after a restart on the same files', async () => {
    const hashes: string[] = [];
    const first = await openCatalog(mutationOn, entryFiles);
    await first.value(form, 'instructions/enrich');
    const { items } = await first.value<{ items: Entry[] }>(form, 'instructions/list');
    hashes.push((await first.value<Answer>(form, 'instructions/governanceHash')).governanceHash);
    const files = Object.fromEntries(items.map((item) => [`${item.id}.json`, item]));
    await first.close();
    const second = await openCatalog({}, files);
    hashes.push((await second.value<Answer>(form, 'instructions/governanceHash')).governanceHash);
    await second.close();
    expect(hashes[0]).toMatch(hexHash);
    expect(hashes[1]).toBe(hashes[0]);
  });

  it('owners.json sets the owner of an entry without one', async () => {
    const owners = { ownership: [{ pattern: '^team-', owner: 'team-owner' }] };
    const program = await openCatalog(mutationOn, { 'owners.json': owners });
    await program.value(form, 'instructions/add', { entry: entryInput('team-rule'), lax: true });
    const { item } = await program.value<{ item: Entry }>(form, 'instructions/get', { id: 'team-rule' });
    expect(item.owner).toBe('team-owner');
    await program.close();
  });
});
