import { expect, test } from 'vitest';
import { countGone } from '#kernel/search/semantic/vectors/vector-store.ts';
import { createRecordEmbeddings } from './record-embeddings.ts';
import { describeRecords } from './records.fixture.ts';

describeRecords('embeddings supplied with records', (engine) => {
  test('does not accumulate markers of deleted embeddings', async () => {
    const fixture = engine.open();
    const { callOf } = fixture.as(engine.newTenant());
    const { storage, clock } = fixture;
    const own = createRecordEmbeddings({ storage, clock, tidyEveryCount: 5, goneCount: 8 });
    const call = { ...callOf(), audit: 'none' as const };
    const gone = async () => (await storage.read(call, (db) => countGone(db, 'record-embeddings')))?.n;
    for (let i = 0; i < 9; i += 1) {
      await storage.write(call, (db) => own.put(db, `r${i}`, Float32Array.of(1, i), { type: 'a' }));
      await storage.write(call, (db) => own.drop(db, `r${i}`));
      await own.tidy(call);
    }
    expect(await gone()).toBe(9);
    await own.tidy(call);
    expect(await gone()).toBe(4);
  });
});
