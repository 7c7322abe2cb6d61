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

  it('[IN35] returns the rules for a task context, binding ones first, each with its reasons', async () => {
    const answer = await ask('applicable', { task: 'deploying the shop', files: ['src/a.ts'] });
    expect(answer).toMatchObject({
      count: 3,
      items: [
        { id: 'deploy', requirement: 'critical', priority: 1, reasons: ['task: deploy'], body: 'Body of deploy' },
        { id: 'always', reasons: ['mandatory: applies always'] },
        { id: 'ts', reasons: ['file: src/a.ts fits **/*.ts', 'language: typescript'] },
      ],
    });
    expect(Object.keys(answer.items[0] ?? {})).toEqual(['id', 'title', 'requirement', 'priority', 'reasons', 'body']);
  });

  it('[IN62] records the rules that it returns, not those of later pages', async () => {
    const { ask: askHere, served } = openReads(rules);
    await askHere('applicable', { task: 'deploy', limit: 1 });
    expect(served).toEqual(['deploy']);
  });

  it('[IN35] excludes rules of other scopes', async () => {
    expect(idsOf(await ask('applicable', {}))).toEqual(['always']);
    expect(idsOf(await ask('applicable', { workspaceId: 'shop' }))).toEqual(['always', 'of-shop']);
  });

  it('gives a hint when no rule applies', async () => {
    expect(await openReads([]).ask('applicable')).toMatchObject({ count: 0, items: [], hint: expect.any(String) });
  });

  it('includes a rule that an outside edit added and drops one that it removed', async () => {
    const reads = openReads(rules);
    reads.catalog.drop(createEntry({ id: 'new', requirement: 'mandatory', priority: 1 }));
    reads.catalog.drop(createEntry({ id: 'always', requirement: 'optional' }));
    await reads.catalog.reload(createCall());
    expect(idsOf(await reads.ask('applicable'))).toEqual(['new']);
  });

  it('fits a page and continues with a cursor for the same request and catalog only', async () => {
    const many = Array.from({ length: 20 }, (_, i) =>
      createEntry({ id: `r${String(i).padStart(2, '0')}`, requirement: 'mandatory', body: 'x'.repeat(1_500) }),
    );
    const reads = openReads(many);
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await reads.ask('applicable', cursor === undefined ? {} : { cursor });
      expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThanOrEqual(limits.pageBytes);
      seen.push(...idsOf(page));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(seen).toEqual(many.map(({ id }) => id));
    const { nextCursor } = await reads.ask('applicable', { limit: 1 });
    expect((await reads.ask('applicable', { task: 'other', cursor: nextCursor })).error?.code).toBe(-32602);
    reads.catalog.drop(createEntry({ id: 'aa', requirement: 'mandatory' }));
    await reads.ask('get', { id: 'aa' });
    expect((await reads.ask('applicable', { cursor: nextCursor })).error?.code).toBe(-32602);
  });
});
