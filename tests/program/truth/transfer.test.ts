import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { openNotebooks } from '../notebooks/notebook-program.ts';
import { engines, type Json, payloadInput, type Submitted, toTruthCaller } from './truth-program.fixture.ts';

/** A data folder with a running program and commands. */
async function makeHome(engine: (typeof engines)[number]) {
  const { folder, remove } = makeFolder();
  const database = engine === 'PostgreSQL' ? await createTestDatabase() : undefined;
  const program = await openNotebooks({
    FOURFOLD_HOME: join(folder, 'home'),
    FOURFOLD_FILE_ROOTS: folder,
    ...(database !== undefined && { FOURFOLD_DATABASE_URL: database.url }),
  });
  onTestFinished(async () => {
    await program.close();
    await database?.drop();
    remove();
  });
  return {
    folder,
    async run(...args: readonly string[]): Promise<Json> {
      const { code, stdout, stderr } = await runProgram([...args, '--json'], program.env, '', folder);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
      return JSON.parse(stdout) as Json;
    },
    ask: toTruthCaller(program.client).call,
  };
}

type Home = Awaited<ReturnType<typeof makeHome>>;

interface Planted {
  readonly vendor: string;
  readonly other: string;
  readonly invoice: string;
  readonly fileUrls: readonly string[];
}

/** One of everything that truth stores. */
async function fill({ folder, ask }: Home): Promise<Planted> {
  const own = { vendor_name: 'Acme Corp', vendor_address: '1 Old Street' };
  const { entities } = await ask<Submitted>('submit_payload', payloadInput(own));
  const [invoice, vendor, customer] = entities.map(({ entity_id }) => entity_id) as [string, string, string];
  const again = await ask<Submitted>(
    'submit_payload',
    payloadInput({ vendor_name: 'Acme Trading', invoice_number: 'I-2' }),
  );
  const other = again.entities[1]!.entity_id;
  await ask('correct_entity', { entity_id: vendor, fields: { address: '2 New Street' } });
  await ask('merge_entities', { source_entity_id: other, target_entity_id: vendor });
  const edge = { relationship_type: 'REFERS_TO', source_entity_id: invoice, target_entity_id: customer };
  await ask('create_relationship', edge);
  await ask('store_record', { type: 'note', properties: { colour: 'red', text: 'mangos' }, embedding: [1, 0] });
  writeFileSync(join(folder, 'a.txt'), 'Invoice number: INV-77\nInvoice date: 2024-03-05\nTotal: 12.00 EUR\n');
  const small = await ask<Uploaded>('upload_file', { file_path: join(folder, 'a.txt') });
  // Of several lines in the export.
  const bytes = Buffer.alloc(3_000_000, 'words of a line\n');
  const content = { content_base64: bytes.toString('base64'), file_name: 'large.txt', bucket: 'own' };
  const large = await ask<Uploaded>('upload_file', { ...content, properties: '{"large":true}' });
  return { vendor, other, invoice, fileUrls: [small.file_url, large.file_url] };
}

interface Uploaded {
  readonly file_url: string;
}

/** Length and hash of what a signed URL serves. */
async function download({ ask }: Home, file_path: string): Promise<string> {
  const { signed_url } = await ask('get_file_url', { file_path });
  const answer = await fetch(String(signed_url));
  const bytes = Buffer.from(await answer.arrayBuffer());
  return `${answer.status} ${bytes.length} ${sha256Hex(bytes)}`;
}

/** All data that can be queried, including derived data that is not in the file. */
async function lookAt(home: Home, { vendor, other, invoice, fileUrls }: Planted): Promise<Json> {
  const { ask } = home;
  /** The number of records that wait for embedding may differ. */
  const near = async (query: Json) => {
    const { records, total } = await ask('retrieve_records', query);
    return { records, total };
  };
  return {
    snapshot: await ask('get_entity_snapshot', { entity_id: vendor }),
    merged: await ask('get_entity_snapshot', { entity_id: other }),
    observations: await ask('list_observations', { entity_id: vendor }),
    provenance: await ask('get_field_provenance', { entity_id: vendor, field: 'address' }),
    relationships: await ask('list_relationships', { entity_id: invoice }),
    entities: await ask('retrieve_entities'),
    identified: await ask('get_entity_by_identifier', { identifier: 'acme corp' }),
    timeline: await ask('list_timeline_events'),
    records: await ask('retrieve_records', { properties: { colour: 'red' } }),
    byType: await ask('retrieve_records', { type: 'FinancialRecord' }),
    byWord: await ask('retrieve_records', { search: ['mangos'], search_mode: 'keyword' }),
    byVector: await near({ query_embedding: [1, 0], search_mode: 'semantic', type: 'note' }),
    files: await Promise.all(fileUrls.map((url) => download(home, url))),
  };
}

describe.each(engines)('truth transferred to another store on %s', (engine) => {
  it('is complete, searchable and consistent with its observations', async () => {
    const [one, two] = [await makeHome('SQLite'), await makeHome(engine)];
    const fixture = await fill(one);
    const before = await lookAt(one, fixture);
    expect(before).toMatchObject({
      snapshot: { snapshot: { address: '2 New Street' }, observation_count: 3 },
      merged: { entity_id: fixture.vendor, redirected_from: fixture.other },
      relationships: { total: 3 },
      records: { total: 1 },
      byType: { total: 1 },
      byWord: { total: 1 },
      byVector: { records: [{ similarity: 1 }] },
      files: [expect.stringMatching(/^200 /), expect.stringMatching(/^200 3000000 /)],
    });
    const file = join(one.folder, 'export.jsonl');
    expect(await one.run('export', file)).toMatchObject({ files: 2 });
    expect(await two.run('import', file)).toMatchObject({ files: 2 });
    expect(await lookAt(two, fixture)).toEqual(before);
    expect(await two.run('truth', 'rebuild', '--check')).toMatchObject({ differing: 0, missing: 0, wrong_totals: [] });
    // And further writes work.
    const more = await two.ask<Submitted>(
      'submit_payload',
      payloadInput({ invoice_number: 'I-3', vendor_name: 'Acme Corp' }),
    );
    expect(more).toMatchObject({ created: true, entities: [{}, { entity_id: fixture.vendor }, {}] });
    expect(
      await two.ask('submit_payload', payloadInput({ vendor_name: 'Acme Corp', vendor_address: 'x' })),
    ).toMatchObject({
      created: false,
    });
  });

  it('[TR53] contains the bytes of files also as an export of truth alone', async () => {
    const [one, two] = [await makeHome(engine), await makeHome(engine)];
    const fixture = await fill(one);
    const file = join(one.folder, 'truth.jsonl');
    expect(await one.run('truth', 'export', file)).toMatchObject({ files: 2 });
    expect(await two.run('truth', 'import', file)).toMatchObject({ files: [{ restoredFiles: 2 }] });
    expect(await lookAt(two, fixture)).toEqual(await lookAt(one, fixture));
    // Known bytes are found again, so that no second record is made.
    const again = { content_base64: Buffer.alloc(3_000_000, 'words of a line\n').toString('base64'), bucket: 'own' };
    expect(await two.ask('upload_file', { ...again, file_name: 'again.txt' })).toMatchObject({
      file_url: fixture.fileUrls[1],
      record: { properties: { large: true } },
    });
    expect(await two.run('doctor', '--deep')).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ name: 'content', status: 'ok' })]),
    );
  });

  it('replaces records with those of the file and finds them by their new content', async () => {
    const home = await makeHome(engine);
    const { id } = await home.ask<{ id: string }>('store_record', {
      type: 'note',
      properties: { colour: 'red', n: 1 },
    });
    const kept = await home.ask<{ id: string }>('store_record', { type: 'note', properties: { n: 1 } });
    const { entities } = await home.ask<Submitted>('submit_payload', payloadInput());
    const file = join(home.folder, 'export.jsonl');
    await home.run('export', file);
    await home.ask('update_record', { id, type: 'memo', properties: { colour: 'blue' } });
    await home.ask('submit_payload', payloadInput({ invoice_number: 'I-9', vendor_address: 'Later' }));
    await home.run('import', file, '--mode', 'replace');
    const found = async (query: Json) => {
      const { records } = await home.ask<{ records: readonly { id: string }[] }>('retrieve_records', query);
      return records.map((one) => one.id).toSorted();
    };
    expect(await found({ properties: { colour: 'red' } })).toEqual([id]);
    expect(await found({ properties: { colour: 'blue' } })).toEqual([]);
    expect(await found({ properties: { n: 1 } })).toEqual([id, kept.id].toSorted());
    expect(await found({ type: 'memo' })).toEqual([]);
    expect(await found({ type: 'note' })).toEqual([id, kept.id].toSorted());
    // Observations since the export are kept and counted.
    expect(await home.ask('get_entity_snapshot', { entity_id: entities[1]?.entity_id })).toMatchObject({
      observation_count: 2,
      snapshot: { address: 'Later' },
    });
    expect(await home.run('truth', 'rebuild', '--check')).toMatchObject({ differing: 0, missing: 0, wrong_totals: [] });
  });
});
