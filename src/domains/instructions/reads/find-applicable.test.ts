import { describe, expect, it } from 'vitest';
import { limits } from '#kernel/limits.ts';
import { createCall, createEntry } from '../catalog/memory-catalog.fixture.ts';
import { idsOf, openReads } from './reads.fixture.ts';

const rules = [
  createEntry({ id: 'always', requirement: 'mandatory', priority: 5 }),
  createEntry({ id: 'advice', requirement: 'recommended', priority: 1 }),
  createEntry({
    id: 'ts',
    requirement: 'recommended',
    priority: 2,
    appliesTo: { files: ['**/*.ts'], languages: ['typescript'] },
  }),
  createEntry({ id: 'deploy', requirement: 'critical', priority: 1, appliesTo: { tasks: ['deploy'] } }),
  createEntry({ id: 'draft', requirement: 'mandatory', status: 'draft' }),
  createEntry({ id: 'of-shop', requirement: 'mandatory', workspaceId: 'shop' }),
];

describe('instructions/applicable', () => {
  const { ask } = openReads(rules);

  it('[IN35] answers the standing rules for a situation, what binds first, each with its reasons', async () => {
    const answer = await ask('applicable', { task: 'deploying the shop', files: ['src/a.ts'] });
    expect(answer).toMatchObject({
      count: 3,
      items: [
        { id: 'deploy', requirement: 'critical', priority: 1, reasons: ['task: deploy'], body: 'Body of deploy' },
        { id: 'always', reasons: ['mandatory: applies always'] },
        { id: 'ts', reasons: ['file: src/a.ts fits **/*.ts'] },
      ],
    });
    expect(Object.keys(answer.items[0] ?? {})).toEqual(['id', 'title', 'requirement', 'priority', 'reasons', 'body']);
  });

  it('[IN35] keeps the rules of others out', async () => {
    expect(idsOf(await ask('applicable', {}))).toEqual(['always']);
    expect(idsOf(await ask('applicable', { workspaceId: 'shop' }))).toEqual(['always', 'of-shop']);
  });

  it('says so when no rule fits', async () => {
    expect(await openReads([]).ask('applicable')).toMatchObject({ count: 0, items: [], hint: expect.any(String) });
  });

  it('sees a rule that an outside edit brought, and forgets one that it took away', async () => {
    const door = openReads(rules);
    door.catalog.drop(createEntry({ id: 'new', requirement: 'mandatory', priority: 1 }));
    door.catalog.drop(createEntry({ id: 'always', requirement: 'optional' }));
    await door.catalog.reload(createCall());
    expect(idsOf(await door.ask('applicable'))).toEqual(['new']);
  });

  it('fits a page and goes on with a cursor, of the same situation and catalog only', async () => {
    const many = Array.from({ length: 20 }, (_, i) =>
      createEntry({ id: `r${String(i).padStart(2, '0')}`, requirement: 'mandatory', body: 'x'.repeat(1_500) }),
    );
    const door = openReads(many);
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await door.ask('applicable', cursor === undefined ? {} : { cursor });
      expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThanOrEqual(limits.pageBytes);
      seen.push(...idsOf(page));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(seen).toEqual(many.map(({ id }) => id));
    const { nextCursor } = await door.ask('applicable', { limit: 1 });
    expect((await door.ask('applicable', { task: 'other', cursor: nextCursor })).error?.code).toBe(-32602);
    door.catalog.drop(createEntry({ id: 'aa', requirement: 'mandatory' }));
    await door.ask('get', { id: 'aa' });
    expect((await door.ask('applicable', { cursor: nextCursor })).error?.code).toBe(-32602);
  });
});
