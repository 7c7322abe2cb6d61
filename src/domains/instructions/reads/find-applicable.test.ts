import { describe, expect, it } from 'vitest';
import { limits } from '#kernel/limits.ts';
import { createSimilarityScale } from '#kernel/search/semantic/similarity-scale.ts';
import { createCall, createEntry } from '../catalog/memory-catalog.fixture.ts';
import type { CatalogSemanticSearch } from '../catalog/semantic-search.ts';
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

  it('[IN62] records each rule once, with the page that has its body', async () => {
    const { ask: askHere, served } = openReads(rules);
    const first = await askHere('applicable', { task: 'deploy', limit: 1 });
    expect(idsOf(first)).toEqual(['deploy', 'always']);
    expect(served).toEqual(['deploy']);
    await askHere('applicable', { task: 'deploy', limit: 1, cursor: first['nextCursor'] });
    expect(served).toEqual(['deploy', 'always']);
  });

  it('[IN35] excludes rules of other scopes', async () => {
    expect(idsOf(await ask('applicable', {}))).toEqual(['always']);
    expect(idsOf(await ask('applicable', { workspaceId: 'shop' }))).toEqual(['always', 'of-shop']);
  });

  it('[IN50] suggests a search as long as only general rules apply', async () => {
    const hint = expect.stringContaining('instructions_search');
    expect(await openReads([]).ask('applicable')).toMatchObject({ count: 0, items: [], hint });
    expect(await ask('applicable', {})).toMatchObject({ count: 1, hint });
    expect(await ask('applicable', { task: 'deploy' })).not.toHaveProperty('hint');
  });

  it('includes a rule that an outside edit added and drops one that it removed', async () => {
    const reads = openReads(rules);
    reads.catalog.drop(createEntry({ id: 'new', requirement: 'mandatory', priority: 1 }));
    reads.catalog.drop(createEntry({ id: 'always', requirement: 'optional' }));
    await reads.catalog.reload(createCall());
    expect(idsOf(await reads.ask('applicable'))).toEqual(['new']);
  });

  it('[IN50] lists every binding rule, with bodies as far as they fit, and continues with a cursor', async () => {
    const many = Array.from({ length: 20 }, (_, i) =>
      createEntry({ id: `r${String(i).padStart(2, '0')}`, requirement: 'mandatory', body: 'x'.repeat(1_500) }),
    );
    const reads = openReads(many);
    const ids = many.map(({ id }) => id);
    const first = await reads.ask('applicable', {});
    expect(idsOf(first)).toEqual(ids);
    expect(Buffer.byteLength(JSON.stringify(first.items))).toBeLessThanOrEqual(limits.pageBytes);
    expect(first).toMatchObject({ leftOut: expect.stringMatching(/^Left out: the bodies of \d+ rules.*nextCursor/) });
    const seen = first.items.filter(({ body }) => body !== undefined).map(({ id }) => id);
    for (let cursor = first['nextCursor']; cursor !== undefined; ) {
      const page = await reads.ask('applicable', { cursor });
      expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThanOrEqual(limits.pageBytes);
      seen.push(...idsOf(page));
      cursor = page['nextCursor'];
    }
    expect(seen).toEqual(ids);
  });

  it('[IN50] cuts no binding rule at the limit, only others', async () => {
    const of = (requirement: 'critical' | 'optional', count: number) =>
      Array.from({ length: count }, (_, i) =>
        createEntry({ id: `${requirement}-${i}`, requirement, appliesTo: { always: true } }),
      );
    const reads = openReads([...of('critical', 3), ...of('optional', 4)]);
    const answer = await reads.ask('applicable', { limit: 2 });
    expect(answer).toMatchObject({ count: 7, leftOut: expect.stringContaining('4 further rules') });
    expect(answer.items.map(({ id, body }) => [id, body !== undefined])).toEqual([
      ['critical-0', true],
      ['critical-1', true],
      ['critical-2', false],
    ]);
    expect(idsOf(await reads.ask('applicable', { limit: 2, cursor: answer['nextCursor'] }))).toEqual([
      'critical-2',
      'optional-0',
    ]);
  });

  it('accepts a cursor for the same request and catalog only', async () => {
    const reads = openReads(['a', 'b'].map((id) => createEntry({ id, requirement: 'mandatory' })));
    const { nextCursor } = await reads.ask('applicable', { limit: 1 });
    expect((await reads.ask('applicable', { task: 'other', cursor: nextCursor })).error?.code).toBe(-32602);
    reads.catalog.drop(createEntry({ id: 'aa', requirement: 'mandatory' }));
    await reads.ask('get', { id: 'aa' });
    expect((await reads.ask('applicable', { cursor: nextCursor })).error?.code).toBe(-32602);
  });
});

describe('[IN35] rules that apply to every task', () => {
  const general = (id: string, body: string) =>
    createEntry({ id, requirement: 'recommended', title: id, body, appliesTo: { always: true } });
  const many = [
    general('accessibility', 'Every form field has a label.'),
    general('branches', 'Branch from main.'),
    general('http-clients', 'Each outgoing call has a timeout and retries with backoff.'),
    createEntry({ id: 'z-payments', requirement: 'recommended', appliesTo: { files: ['src/payments/**'] } }),
    general('words', 'Write plain English.'),
  ];

  it('come after those for the files, and first those whose text is about the task', async () => {
    const { ask } = openReads(many);
    const answer = await ask('applicable', { task: 'add a retry with a timeout', files: ['src/payments/hook.ts'] });
    expect(idsOf(answer)).toEqual(['z-payments', 'http-clients', 'accessibility', 'branches', 'words']);
    const { items } = answer as unknown as { items: readonly { readonly reasons: readonly string[] }[] };
    expect(items[1]!.reasons).toEqual(['always', expect.stringContaining('words: retry, timeout')]);
    expect(items[2]!.reasons).toEqual(['always']);
  });

  it('have the same order on every page', async () => {
    const { ask } = openReads(many);
    const request = { task: 'add a retry with a timeout', limit: 2 };
    const ids: string[] = [];
    for (let cursor: unknown; ; ) {
      const page = await ask('applicable', cursor === undefined ? request : { ...request, cursor });
      ids.push(...idsOf(page));
      cursor = page['nextCursor'];
      if (cursor === undefined) break;
    }
    expect(ids).toEqual(['http-clients', 'accessibility', 'branches', 'words']);
  });
});

describe('[IN50] rules that may apply', () => {
  const rollout = { title: 'Rollout', body: 'Ship a release behind a canary. Announce it before.' };
  const texts = [
    createEntry({ id: 'rollout', ...rollout }),
    createEntry({ id: 'money', title: 'Money', body: 'Amounts are integers in minor units.' }),
    createEntry({ id: 'draft', status: 'draft', ...rollout }),
    createEntry({ id: 'old', requirement: 'deprecated', deprecatedBy: 'rollout', ...rollout }),
    createEntry({ id: 'of-shop', workspaceId: 'shop', appliesTo: { tasks: ['nothing'] }, ...rollout }),
    createEntry({ id: 'for-py', appliesTo: { files: ['**/*.py'] }, ...rollout }),
    ...Array.from({ length: 160 }, (_, i) => createEntry({ id: `other-${i}`, body: `Topic ${i} is about plants.` })),
  ];
  const { ask } = openReads(texts);
  const idsFor = async (request: object, from = ask) => {
    const { may_apply } = (await from('applicable', request)) as unknown as { may_apply?: readonly { id: string }[] };
    return (may_apply ?? []).map(({ id }) => id).sort();
  };

  it('finds a rule by words of its text, with the reason and its body', async () => {
    expect(await ask('applicable', { task: 'prepare the canary release' })).toMatchObject({
      count: 0,
      items: [],
      may_apply: expect.arrayContaining([
        {
          id: 'rollout',
          title: 'Rollout',
          requirement: 'optional',
          reason: expect.stringMatching(/^about deployment.*words: .*canary/),
          body: rollout.body,
        },
      ]),
    });
  });

  it('[IN62] records it as a rule that may apply', async () => {
    const { ask: askHere, served } = openReads(texts);
    await askHere('applicable', { task: 'prepare the canary release' });
    expect(served).toContain('may rollout');
  });

  it('finds it by its topics without a common word, and says so', async () => {
    const { may_apply } = await ask('applicable', { task: 'let us go live on Monday' });
    expect(may_apply).toContainEqual(expect.objectContaining({ id: 'rollout', reason: 'about deployment' }));
  });

  it('finds it by the topics of the files', async () => {
    expect(await idsFor({ task: 'qwerty', files: ['web/deploy/eu.yml'] })).toEqual(['rollout']);
    expect(await idsFor({ task: 'qwerty', files: ['web/about/eu.yml'] })).toEqual([]);
  });

  it('leaves out drafts, deprecated rules, rules for others and rules for other files', async () => {
    const task = 'prepare the canary release';
    expect(await idsFor({ task })).toEqual(['for-py', 'rollout']);
    expect(await idsFor({ task, files: ['src/a.ts'] })).toEqual(['rollout']);
    expect(await idsFor({ task, workspaceId: 'shop' })).toEqual(['for-py', 'of-shop', 'rollout']);
  });

  it('repeats no rule that applies', async () => {
    const answer = await ask('applicable', { task: 'prepare the canary release', files: ['a.py'] });
    expect(idsOf(answer)).toEqual(['for-py']);
    expect(answer['may_apply']).toMatchObject([{ id: 'rollout' }]);
  });

  it('finds nothing for another topic, a blank task or words that are in no rule', async () => {
    for (const task of ['  ', 'quaternion', '"', '*', 'the and of']) expect(await idsFor({ task }), task).toEqual([]);
    expect(await idsFor({ files: ['src/a.ts'] })).toEqual([]);
  });

  it('treats quotation marks in a task as text', async () => {
    expect(await idsFor({ task: 'prepare the "big canary" release' })).toContain('rollout');
  });

  /** The rules have these similarities, all others a small one, except those that are not embedded yet. */
  function openSimilar(similar: Readonly<Record<string, number>>, pending: readonly string[] = []) {
    const hits = texts
      .filter(({ id }) => !pending.includes(id))
      .map(({ id }, i) => ({ id, similarity: similar[id] ?? (i % 10) / 100, part: 0 }))
      .sort((a, b) => b.similarity - a.similarity);
    const excerpt = (text: string) => text;
    const scale = createSimilarityScale(0.3);
    const answer = { embedder: 'fixture', scale, hits, isEmbedded: () => true, excerpt };
    const nearestNow = async () => answer;
    return openReads(texts, { embeddings: { nearestNow } as Partial<CatalogSemanticSearch> as CatalogSemanticSearch });
  }

  it('finds rules by meaning that share no word with the task, but no draft', async () => {
    const similar = { money: 0.6, draft: 0.7, old: 0.7, 'of-shop': 0.7, 'for-py': 0.55 };
    const reads = openSimilar(similar);
    const request = { task: 'quaternion', files: ['src/a.ts'] };
    expect((await reads.ask('applicable', request))['may_apply']).toMatchObject([
      { id: 'money', reason: 'similar meaning' },
    ]);
  });

  it('goes by words where a rule is not embedded yet or the embedder does not answer', async () => {
    const task = 'prepare the canary release';
    expect(await idsFor({ task }, openSimilar({}, ['rollout']).ask)).toContain('rollout');
    const silent = { nearestNow: async () => undefined } as Partial<CatalogSemanticSearch> as CatalogSemanticSearch;
    expect(await idsFor({ task }, openReads(texts, { embeddings: silent }).ask)).toContain('rollout');
  });

  it('names less likely ones by their ids, and does not ask the embedder without a task', async () => {
    const answer = await openSimilar({ money: 0.6, 'other-3': 0.3, 'other-4': 0.29 }).ask('applicable', {
      task: 'qwerty',
    });
    expect(answer).toMatchObject({
      may_apply: [{ id: 'money' }],
      others: expect.arrayContaining(['other-3', 'other-4']),
    });
    const never = {
      nearestNow: async () => {
        throw new Error('asked');
      },
    } as Partial<CatalogSemanticSearch> as CatalogSemanticSearch;
    expect(await openReads(texts, { embeddings: never }).ask('applicable', { files: ['a.py'] })).toMatchObject({
      count: 1,
    });
  });
});
