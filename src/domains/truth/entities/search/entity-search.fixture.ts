import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExtractWorkers } from '#app/extract-workers.ts';
import type { TenantId } from '#kernel/call.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { createAllowedRoots } from '#kernel/paths/allowed-roots.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openIndexes } from '#tests/support/open-indexes.ts';
import { openToolset } from '#tests/support/open-toolset.ts';
import { createFolderBlobs } from '../../files/file-blobs.ts';
import { createTombstones } from '../../forgetting/tombstones.ts';
import type { SubmitInput } from '../../payloads/payload-model.ts';
import type { TruthEngine } from '../../truth.fixture.ts';
import { createTruth, type Truth } from '../../truth.ts';
import { truthToolset } from '../../truth-toolset.ts';
import type { RetrieveAnswer } from '../list-entities.ts';

/** The whole memory with its search indexes, called through its tools. */
export async function createSearchFixture(engine: TruthEngine, embedder?: Embedder, given?: Storage) {
  const { clock } = engine;
  const storage = given ?? engine.storage();
  const root = await mkdtemp(join(tmpdir(), 'search-'));
  const indexes = openIndexes(storage, clock, embedder);
  const workers = createExtractWorkers();
  const { ids, log, search, meaning } = indexes;
  const truth = createTruth({
    ...{ storage, clock, ids, log, search, meaning, workers },
    cursors: createCursors(Buffer.from('the cursors of a test')),
    roots: createAllowedRoots({ roots: [root], forbidden: [] }),
    blobs: createFolderBlobs(join(root, 'blobs')),
    signingKey: Buffer.from('the signing key of a test'),
    tombstones: createTombstones(Buffer.from('the tombstones of a test')),
    server: { baseUrl: async () => 'http://127.0.0.1:9' },
  });
  const client = openToolset(truthToolset, { ...truth, transfer: undefined } as unknown as Truth, { clock, ids });
  engine.closeAtEnd({
    async close() {
      await indexes.close();
      await workers.close();
      await rm(root, { recursive: true, force: true });
    },
  });

  function as(tenant: TenantId = engine.newTenant()) {
    const mine = client.as(tenant);
    const retrieve = (args: object) => mine.good<RetrieveAnswer>('retrieve_entities', args);
    return {
      ...mine,
      retrieve,
      /** Names of the hits, in order. */
      async find(args: object): Promise<readonly string[]> {
        return (await retrieve(args)).entities.map(({ canonical_name }) => canonical_name);
      },
      fact: (type: string, name: string, fields: object, more: object = {}) =>
        mine.good<{ readonly entity_id: string }>('store_fact', { subject: { type, name }, fields, ...more }),
      submit: (input: SubmitInput) => mine.good('submit_payload', input),
      /** As an import does it. */
      submitInBulk: (inputs: readonly SubmitInput[]) =>
        truth.payloads.submitMany(inputs, mine.call('submit_payload', { durability: 'soon' })),
      settle: () => meaning.settle(tenant),
    };
  }

  return { truth, search, meaning, storage, root, as };
}
