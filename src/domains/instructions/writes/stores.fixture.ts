import { afterAll, afterEach, beforeAll } from 'vitest';
import { createTestStore } from '#kernel/jobs/store.fixture.ts';
import { makeFolders, openCatalog } from '#tests/contract/catalog/open-catalog.fixture.ts';
import type { Engine } from '#tests/contract/storage/engine.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { openWrites } from './writes.fixture.ts';

/** A catalog for the tests of a `describe`; each `open` acts as another process. */
export function createCatalogFixture(engine: Engine) {
  const store = createTestStore(engine);
  let folders: Awaited<ReturnType<typeof makeFolders>>;
  const opened: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    folders = await makeFolders();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  afterAll(() => folders.remove());

  async function open(
    toDeps: (real: { readonly catalog: Catalog; readonly idempotency: Idempotency }) => object = () => ({}),
  ) {
    const storage = await store.open();
    const real = openCatalog(storage, folders);
    opened.push(real);
    const deps = { catalog: real.catalog, idempotency: createIdempotency(storage) };
    return openWrites(real.catalog, { deps: { ...deps, ...toDeps(deps) } });
  }
  return { open, folder: () => folders.folder };
}
