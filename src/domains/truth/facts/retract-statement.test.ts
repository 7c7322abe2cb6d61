import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSearchFixture } from '../entities/search/entity-search.fixture.ts';
import { describeTruth } from '../truth.fixture.ts';

describeTruth('[TR44] the statements of an uploaded file', (engine) => {
  test('can be retracted with the id of its record, edges included', async () => {
    const fixture = await createSearchFixture(engine);
    const { good, ask } = fixture.as();
    const file = join(fixture.root, 'bill.txt');
    await writeFile(file, 'INVOICE\nInvoice Number: F-9\nFrom: Sparkle Ltd\nTotal: 12.00 EUR\nDate: 2025-03-01');
    const { record } = await good<{ record: { id: string } }>('upload_file', { file_path: 'bill.txt' });
    const found = async () => {
      type Found = { entities: { entity_id: string; snapshot: Record<string, unknown> }[] };
      const { entities } = await good<Found>('retrieve_entities', { entity_type: 'invoice', limit: 1 });
      return entities[0]!;
    };
    const { entity_id } = await found();
    expect((await found()).snapshot).toMatchObject({ invoice_number: 'F-9' });
    const edges = async () =>
      (await good<{ relationships: unknown[] }>('list_relationships', { entity_id })).relationships.length;
    expect(await edges()).toBe(1);
    const known = new Date(engine.clock.now()).toISOString();
    engine.clock.advance(1_000);
    const retracted = { id: record.id, kind: 'record', entity_ids: expect.arrayContaining([entity_id]) };
    expect(await good('retract_statement', { id: record.id })).toMatchObject({ ...retracted, retracted: true });
    expect(await good('retract_statement', { id: record.id })).toMatchObject({ ...retracted, retracted: false });
    expect((await found()).snapshot).toEqual({});
    expect(await edges()).toBe(0);
    const before = await good<{ snapshot: object }>('get_entity_snapshot', { entity_id, as_known_at: known });
    expect(before.snapshot).toMatchObject({ invoice_number: 'F-9' });
    expect((await ask('retract_statement', { id: `${record.id}0` }))['error']).toMatchObject({ code: 'NOT_FOUND' });
  });
});
