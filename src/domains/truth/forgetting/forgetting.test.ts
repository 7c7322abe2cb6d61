import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createAudit } from '#kernel/audit/audit.ts';
import { createCheckpoints } from '#kernel/audit/checkpoints.ts';
import type { TenantId } from '#kernel/call.ts';
import { describeOnEngines } from '#kernel/jobs/engines.fixture.ts';
import { purgePostgres } from '#kernel/storage/postgres/purge.ts';
import { sql } from '#kernel/storage/sql.ts';
import { auditKey } from '#tests/contract/storage/engine.ts';
import { type PostgresTestStore, postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { type SqliteTestStore, sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { withAddress } from '#tests/support/postgres/test-login.ts';
import { createSearchFixture } from '../entities/search/entity-search.fixture.ts';
import { codeOf, createTruthBase, describeTruth, invoice, payloadOf, type TruthEngine } from '../truth.fixture.ts';
import type { ForgetAnswer } from './forget-model.ts';
import { createTombstones } from './tombstones.ts';

type Fixture = Awaited<ReturnType<typeof createSearchFixture>>;
interface FactAnswer {
  readonly entity_id: string;
  readonly submission_id: string;
}

function open(engine: TruthEngine) {
  let made: Promise<Fixture> | undefined;
  return async () => {
    made ??= createSearchFixture(engine);
    const fixture = await made;
    const mine = fixture.as();
    const { good, ask, tenant } = mine;
    const fact = (type: string, name: string, fields: object = {}, more: object = {}) =>
      good<FactAnswer>('store_fact', { subject: { type, name }, fields, ...more });
    const idOf = async (name: string) =>
      (await good<{ entities: { entity_id: string }[] }>('get_entity_by_identifier', { identifier: name })).entities[0]!
        .entity_id;
    const preview = async (entity_id: string) => (await good<ForgetAnswer>('forget_entity', { entity_id })).preview!;
    async function forget(entity_id: string, more: object = {}) {
      const { name } = await preview(entity_id);
      const answer = await good<ForgetAnswer>('forget_entity', { entity_id, dry_run: false, confirm: name, ...more });
      return answer.certificate!;
    }
    const tables = () => contentOf(fixture, tenant);
    return { ...mine, fixture, fact, idOf, preview, forget, tables, ask };
  };
}

const contentTables = [
  ...['truth_payloads', 'truth_submissions', 'truth_observations', 'truth_entities', 'truth_identifiers'],
  ...['truth_match_keys', 'truth_shared_keys', 'truth_events', 'truth_entity_texts', 'truth_entity_queue'],
  ...[
    'truth_relationships',
    'truth_relationship_statements',
    'truth_corrections',
    'truth_retractions',
    'truth_records',
  ],
  ...['truth_contradictions', 'truth_merges', 'truth_files', 'trash', 'idempotency', 'changes', 'search_rows'],
  ...['meaning_pending', 'meaning_gone', 'meaning_vectors', 'truth_forgettings', 'truth_tombstones'],
];

/** Every row of the tenant in the tables with content, as text. */
async function contentOf({ storage, as }: Fixture, tenant: TenantId): Promise<string> {
  const texts: string[] = [];
  for (const table of contentTables) {
    const rows = await storage.read(as(tenant).call(), (db) =>
      db.all(sql<object>`select * from ${{ parts: [table], args: [] }} where tenant = ${tenant}`),
    );
    texts.push(`${table}: ${JSON.stringify(rows)}`);
  }
  return texts.join('\n');
}

/** Tables whose rows contain the text. */
const tablesWith = (content: string, text: string): readonly string[] =>
  content
    .split('\n')
    .filter((line) => line.toLowerCase().includes(text.toLowerCase()))
    .map((line) => line.slice(0, line.indexOf(':')));

describeTruth('forgetting an entity', (engine) => {
  const start = open(engine);

  test('[TR120] a dry run lists what would be removed and changes nothing', async () => {
    const { submit, idOf, preview, tables, find } = await start();
    await submit(invoice({ customer_name: 'Zeno Quartz', customer_address: '1 Onyx Lane' }));
    // The index is written soon after a write; a search waits for it.
    await find({ query: 'onyx' });
    const before = await tables();
    const id = await idOf('Zeno Quartz');
    const shown = await preview(id);
    expect(shown).toMatchObject({ name: 'zeno quartz', entity_ids: [id], mentions_total: 0 });
    expect(shown.removes).toMatchObject({ entities: 1, observations: 1, payloads: 0 });
    expect(shown.blanks[0]!.fields).toContain('customer_name');
    expect(await tables()).toBe(before);
  });

  test('[TR120] refuses without the name, and knows only admins', async () => {
    const { fact, ask, tenant, fixture } = await start();
    const { entity_id } = await fact('person', 'Zeno Quartz');
    for (const confirm of [undefined, 'Zeno', entity_id]) {
      const refused = await ask('forget_entity', { entity_id, dry_run: false, ...(confirm && { confirm }) });
      expect(codeOf(refused)).toBe('VALIDATION_ERROR');
    }
    const caller = { tenant, actor: 'bob', scopes: new Set(['write' as const]) };
    const denied = await fixture.as(tenant).reach('forget_entity', { entity_id }, { caller });
    expect(denied).toMatchObject({ ok: false, fault: { code: 'PERMISSION_DENIED' } });
    expect(codeOf(await ask('forget_entity', { entity_id: 'ent_0' }))).toBe('ENTITY_NOT_FOUND');
  });

  test('[TR121] removes every row about it, and others keep what the same source says about them', async () => {
    const { submit, good, idOf, forget, tables, ask, fact } = await start();
    await submit(invoice({ customer_name: 'Zeno Quartz', customer_email: 'zeno@quartz.test', memo: 'thanks' }));
    await fact(
      'person',
      'Ada Marble',
      {},
      { relations: [{ type: 'KNOWS', to: { type: 'company', name: 'Zeno Quartz' } }] },
    );
    const id = await idOf('Zeno Quartz');
    await good('correct_entity', { entity_id: id, fields: { city: 'Quartzville' }, reason: 'moved' });
    // Negative control: the name is in many tables before.
    expect(tablesWith(await tables(), 'quartz').length).toBeGreaterThan(5);
    const certificate = await forget(id);
    expect(certificate).toMatchObject({ kind: 'entity', removed: { entities: 1, observations: 2, corrections: 1 } });
    expect(certificate.redacted_audit_rows).toBeGreaterThan(2);
    const content = await tables();
    expect(tablesWith(content, 'quartz')).toEqual([]);
    expect(tablesWith(content, id)).toEqual([]);
    expect(codeOf(await ask('get_entity_snapshot', { entity_id: id }))).toBe('ENTITY_NOT_FOUND');
    const vendor = await good<{ snapshot: object }>('get_entity_snapshot', { entity_id: await idOf('Acme Corp') });
    expect(vendor.snapshot).toMatchObject({ name: 'Acme Corp' });
    const bill = await good<{ snapshot: Record<string, unknown>; provenance: Record<string, string> }>(
      'get_entity_snapshot',
      { entity_id: await idOf('INV-001') },
    );
    expect(bill.snapshot).toMatchObject({ amount: 1500, vendor_name: 'Acme Corp' });
    expect(bill.snapshot).not.toHaveProperty('customer_name');
    expect((await good<{ entities: unknown[] }>('retrieve_entities', { query: 'quartz' })).entities).toEqual([]);
  });

  test('[TR121] keeps the parts of others when the own entity of a payload is forgotten', async () => {
    const { submit, good, idOf, forget } = await start();
    const { payload_id } = await submit(invoice({ memo: 'secret agreement' }));
    await forget(await idOf('INV-001'));
    const payload = await good<{ body: object }>('get_payload', { payload_id });
    expect(payload.body).toEqual({
      ...{ invoice_number: null, amount: null, date: null, memo: null },
      ...{ vendor_name: 'Acme Corp', customer_name: 'Test Customer' },
    });
    const { snapshot } = await good<{ snapshot: object }>('get_entity_snapshot', {
      entity_id: await idOf('Acme Corp'),
    });
    expect(snapshot).toMatchObject({ name: 'Acme Corp' });
  });

  test('[TR121] forgets the whole group of merged entities', async () => {
    const { fact, good, forget, tables } = await start();
    const a = await fact('person', 'Zeno Quartz', { email: 'zeno@quartz.test' });
    const b = await fact('person', 'Z. Quartz');
    await good('merge_entities', { source_entity_id: a.entity_id, target_entity_id: b.entity_id });
    const { removed } = await forget(a.entity_id);
    expect(removed).toMatchObject({ entities: 2, payloads: 2 });
    expect(tablesWith(await tables(), 'quartz')).toEqual([]);
  });

  test('[TR122] lists mentions in other texts, and removes them on request', async () => {
    const { fact, good, preview, forget, tables, find } = await start();
    const { entity_id } = await fact('person', 'Zeno Quartz');
    const note = await fact('task', 'Write the report', {
      details: 'ask ZENO  quartz, not Zenobia',
      more: 'line\nZeno\tQuartz',
    });
    const record = await good<{ id: string }>('store_record', {
      type: 'memo',
      properties: { text: 'Zeno Quartz called' },
    });
    const trashed = await good<{ id: string }>('store_record', {
      type: 'memo',
      properties: { text: 'for Zeno Quartz' },
    });
    await good('delete_record', { id: trashed.id });
    const { mentions } = await preview(entity_id);
    expect(new Set(mentions.map(({ kind }) => kind))).toEqual(new Set(['payload', 'observation', 'record', 'trash']));
    expect(mentions).toContainEqual({ kind: 'record', id: record.id, text: expect.stringContaining('Zeno Quartz') });
    const kept = await good<{ snapshot: object }>('get_entity_snapshot', { entity_id: note.entity_id });
    expect(kept.snapshot).toMatchObject({ details: 'ask ZENO  quartz, not Zenobia' });
    await forget(entity_id, { include_mentions: true });
    expect(tablesWith(await tables(), 'quartz')).toEqual([]);
    const { snapshot } = await good<{ snapshot: object }>('get_entity_snapshot', { entity_id: note.entity_id });
    expect(snapshot).toMatchObject({ details: 'ask [forgotten], not Zenobia' });
    expect(await find({ query: 'quartz' })).toEqual([]);
    expect(await find({ query: 'zenobia' })).toEqual(['write the report']);
  });

  test('[TR123] leaves nothing that a rebuild would find wrong', async () => {
    const { submit, idOf, forget, fixture, call } = await start();
    await submit(invoice({ customer_name: 'Zeno Quartz' }));
    await submit(
      payloadOf('contract', { contract_number: 'C1', parties: ['Zeno Quartz', 'Ada Marble'], date: '2025-02-02' }),
    );
    await forget(await idOf('Zeno Quartz'));
    const { rebuild } = await import('../exchange/rebuild.ts');
    const report = await rebuild(
      { storage: fixture.storage, schemas: fixture.truth.schemas },
      { check: true, call: () => call('truth_rebuild'), progress() {} },
    );
    expect(report).toMatchObject({ differing: 0, missing: 0, wrong_totals: [], differing_relationships: 0 });
  });

  test('[TR124] the audit chain still verifies, and a row that was redacted otherwise is found', async () => {
    const { fact, forget, fixture, tenant, call } = await start();
    const checkpoints = createCheckpoints(`${fixture.root}/${tenant}.jsonl`, auditKey);
    const audit = createAudit({ storage: fixture.storage, key: auditKey, checkpoints, now: () => 0 });
    const { entity_id } = await fact('person', 'Zeno Quartz');
    await fact('person', 'Ada Marble');
    await audit.checkpoint(call());
    await forget(entity_id);
    await fact('person', 'Bo Slate');
    const { ok, issues } = await audit.verify(call());
    expect({ ok, issues }).toEqual({ ok: true, issues: [] });
    const { rows } = await audit.list(call(), { limit: 100 });
    expect(rows.filter(({ id }) => id === '').length).toBeGreaterThan(1);
    // What a redacted row keeps is covered too.
    const redacted = rows.find(({ id }) => id === '')!;
    const edit = (set: string, seq: number) =>
      engine.testStore().tamper(`update changes set ${set} where tenant = '${tenant}' and seq = ${seq}`);
    await edit(`actor = 'mallory'`, redacted.seq);
    expect((await audit.verify(call())).issues).toContainEqual({ seq: redacted.seq, problem: 'redacted' });
    await edit(`actor = '${redacted.actor}'`, redacted.seq);
    const last = rows[0]!;
    await edit(`id = '', hash = ''`, last.seq);
    expect((await audit.verify(call())).issues).toEqual([{ seq: last.seq, problem: 'redacted' }]);
  });

  test('[TR125] another process answers without it immediately', async () => {
    const { fact, forget, tenant, fixture } = await start();
    const { entity_id } = await fact('person', 'Zeno Quartz', { city: 'Quartzville' });
    const other = (await createSearchFixture(engine, undefined, engine.closeAtEnd(await engine.openOther()))).as(
      tenant,
    );
    // Fills its caches.
    await other.good('get_entity_snapshot', { entity_id });
    expect(await other.find({ query: 'quartzville' })).toEqual(['zeno quartz']);
    await forget(entity_id);
    expect(codeOf(await other.ask('get_entity_snapshot', { entity_id }))).toBe('ENTITY_NOT_FOUND');
    expect(await other.find({ query: 'quartzville' })).toEqual([]);
    expect(fixture).toBeDefined();
  });

  test('[TR126] a request that is repeated under its idempotency key is FORGOTTEN', async () => {
    const { forget, reach } = await start();
    const args = { subject: { type: 'person', name: 'Zeno Quartz' }, fields: { city: 'Rome' } };
    const first = await reach('store_fact', args, { idempotencyKey: 'k1' });
    const { entity_id } = JSON.parse(first.ok ? first.text : '{}') as FactAnswer;
    expect(await reach('store_fact', args, { idempotencyKey: 'k1' })).toMatchObject({ ok: true });
    await forget(entity_id);
    expect(await reach('store_fact', args, { idempotencyKey: 'k1' })).toMatchObject({
      ok: false,
      fault: { code: 'FORGOTTEN' },
    });
  });

  test('[TR126] what was read before is FORGOTTEN; a later statement is accepted and says so', async () => {
    const { submit, ask, good, idOf, forget, fact } = await start();
    const given = invoice({ customer_name: 'Zeno Quartz' });
    await submit(given);
    const certificate = await forget(await idOf('Zeno Quartz'));
    const refused = await ask('submit_payload', given);
    expect(codeOf(refused)).toBe('FORGOTTEN');
    expect(JSON.stringify(refused)).toContain(certificate.certificate_id);
    expect(JSON.stringify(refused)).not.toContain('Quartz');
    // Negative control: others are not affected.
    await good('submit_payload', invoice({ invoice_number: 'INV-002' }));
    const again = await fact('company', 'Zeno Quartz', { city: 'Rome' });
    expect(again).toMatchObject({ forgotten_before: [{ certificate_id: certificate.certificate_id }] });
    // The entity is known again, and old statements about it are still refused.
    expect(codeOf(await ask('submit_payload', given))).toBe('FORGOTTEN');
    const later = new Date(engine.clock.now() + 60_000).toISOString();
    const accepted = await good(
      'submit_payload',
      invoice({ customer_name: 'Zeno Quartz', memo: 'new' }, { extracted_at: later }),
    );
    expect(accepted).toMatchObject({ forgotten_before: [{ certificate_id: certificate.certificate_id }] });
  });

  test('[TR126] an import or a connector learns which lines are FORGOTTEN', async () => {
    const { submit, idOf, forget, fixture, call } = await start();
    const given = invoice({ customer_name: 'Zeno Quartz' });
    await submit(given);
    await fixture.truth.payloads.checkMany([given], call('submit_payload'));
    await forget(await idOf('Zeno Quartz'));
    const refused = fixture.truth.payloads.checkMany([given], call('submit_payload'));
    await expect(refused).rejects.toMatchObject({ code: 'FORGOTTEN' });
    const others = invoice({ invoice_number: 'INV-003' });
    await fixture.truth.payloads.checkMany([others], call('submit_payload'));
  });

  test('[TR126] a store that was restored from an older copy forgets again', async () => {
    const { fact, tables, tenant, fixture } = await start();
    const zeno = await fact('person', 'Zeno Quartz');
    const later = await fact('person', 'Ada Marble');
    const tombstones = createTombstones(Buffer.from('the tombstones of a test'));
    const rowOf = (value: string, forgotten_at: number) => ({
      mac: tombstones.macOf(tenant, { kind: 'entity', value }),
      forgotten_at,
      certificate_id: 'fgt_of_another_state',
    });
    // Ada was forgotten before this statement about her.
    const rows = [rowOf(zeno.entity_id, engine.clock.now() + 60_000), rowOf(later.entity_id, 1)];
    expect(await fixture.truth.forgetting.again(tenant, rows)).toBe(1);
    const content = await tables();
    expect(tablesWith(content, 'quartz')).toEqual([]);
    expect(tablesWith(content, 'marble')).not.toEqual([]);
    expect(await fixture.truth.forgetting.again(tenant, rows)).toBe(0);
  });

  test('[TR127] the certificate has counts and HMACs, and says what is pending and not reached', async () => {
    const { fact, forget, good, ask } = await start();
    const { entity_id } = await fact('person', 'Zeno Quartz');
    const made = await forget(entity_id);
    const isLocal = engine.kind === 'sqlite';
    expect(made).toMatchObject({ status: isLocal ? 'complete' : 'pending' });
    expect(made.pending.join()).toBe(
      isLocal
        ? ''
        : 'the files of the database still contain deleted rows: the operator has to run fourfold truth purge',
    );
    expect(made.not_reached.join()).toMatch(/backups.*exports.*replicas/s);
    expect(JSON.stringify(made)).not.toMatch(new RegExp(`quartz|"ada"|${entity_id}`, 'i'));
    expect(await good('get_forget_certificate', { id: made.certificate_id })).toEqual(made);
    expect(codeOf(await ask('get_forget_certificate', { id: 'fgt_unknown' }))).toBe('NOT_FOUND');
  });
});

describeTruth('forgetting a source', (engine) => {
  const start = open(engine);
  const forgetSource = (mine: Awaited<ReturnType<typeof start>>, id: string) =>
    mine.good<ForgetAnswer>('forget_source', { id, dry_run: false, confirm: id });

  test('[TR128] removes a payload whole, with entities that only it speaks of', async () => {
    const mine = await start();
    const { submit, idOf, tables, ask, good } = mine;
    const { payload_id } = (await submit(invoice({ customer_name: 'Zeno Quartz', vendor_tax_id: 'DE77' }))) as {
      payload_id: string;
    };
    await submit(invoice({ invoice_number: 'INV-002', customer_name: 'Ada Marble', vendor_tax_id: 'DE77' }));
    const { preview } = await good<ForgetAnswer>('forget_source', { id: payload_id });
    expect(preview!.removes).toMatchObject({ payloads: 1, observations: 3, entities: 2 });
    await forgetSource(mine, payload_id);
    const content = await tables();
    expect(tablesWith(content, 'quartz')).toEqual([]);
    expect(tablesWith(content, payload_id)).toEqual([]);
    // The vendor is known from the other one, also by its number.
    const { entities } = await good<{ entities: { observation_count: number }[] }>('get_entity_by_identifier', {
      identifier: 'Acme Corp',
    });
    expect(entities).toMatchObject([{ observation_count: 1 }]);
    expect(await idOf('Ada Marble')).toMatch(/^ent_/);
    expect(codeOf(await ask('submit_payload', invoice({ customer_name: 'Zeno Quartz', vendor_tax_id: 'DE77' })))).toBe(
      'FORGOTTEN',
    );
    expect(codeOf(await ask('forget_source', { id: payload_id }))).toBe('NOT_FOUND');
  });

  test('[TR128] removes a record and its copy in the trash', async () => {
    const mine = await start();
    const { good, tables } = mine;
    const { id } = await good<{ id: string }>('store_record', { type: 'memo', properties: { text: 'Zeno Quartz' } });
    await good('delete_record', { id });
    await forgetSource(mine, id);
    expect(tablesWith(await tables(), 'quartz')).toEqual([]);
  });

  test('[TR128] removes one of several submissions', async () => {
    const mine = await start();
    const { submit, good, tables } = mine;
    const first = (await submit(invoice({ memo: 'one' }))) as { payload_id: string };
    const second = (await submit(invoice({ memo: 'quartz' }, { extracted_at: '2025-02-01T00:00:00Z' }))) as {
      submission_id: string;
    };
    await forgetSource(mine, second.submission_id);
    expect(tablesWith(await tables(), 'quartz')).toEqual([]);
    const payload = await good<{ submissions: unknown[] }>('get_payload', { payload_id: first.payload_id });
    expect(payload).toMatchObject({ body: { memo: 'one' }, submissions_total: 1 });
  });
});

describeOnEngines(
  '[TR129] the bytes of a store after a forgetting',
  (engine) => {
    const start = open({ ...engine, base: (storage) => createTruthBase(storage ?? engine.storage(), engine.clock) });
    const copiesOf = (text: string): number =>
      ['', '-wal'].reduce((sum, suffix) => {
        const bytes = readFileSync(`${(engine.testStore() as SqliteTestStore).file}${suffix}`)
          .toString('latin1')
          .toLowerCase();
        return sum + bytes.split(text).length - 1;
      }, 0);

    test('neither the file nor its log contains the name', async () => {
      const { fact, submit, idOf, forget, find, good } = await start();
      for (let i = 0; i < 40; i += 1) {
        await submit(invoice({ invoice_number: `Q-${i}`, customer_name: 'Zeno Xylophone', memo: 'm'.repeat(300) }));
      }
      await fact('company', 'Zeno Xylophone', { motto: 'xylophone forever' });
      expect(await find({ query: 'xylophone' })).toContain('zeno xylophone');
      const id = await idOf('Zeno Xylophone');
      await good('correct_entity', { entity_id: id, fields: { motto: 'never xylophone' } });
      // Negative control.
      expect(copiesOf('xylophone')).toBeGreaterThan(40);
      // As in a store from before deleted content was overwritten.
      await engine.testStore().tamper(`insert into store_chores (name) values ('rewrite')`);
      const certificate = await forget(id, { include_mentions: true });
      expect(certificate.status).toBe('complete');
      expect(copiesOf('xylophone')).toBe(0);
      expect(await engine.testStore().look('select name from store_chores')).toEqual([]);
      expect(copiesOf(id)).toBe(0);
    });
  },
  [sqliteEngine(true)],
);

describeOnEngines(
  '[TR129] the files of a PostgreSQL database',
  (engine) => {
    const start = open({ ...engine, base: (storage) => createTruthBase(storage ?? engine.storage(), engine.clock) });

    const clusterFolder = async () => {
      const [row] = await engine.testStore().look(`select current_setting('data_directory') as folder,
        (select oid::text from pg_database where datname = current_database()) as oid`);
      return join(String(row!['folder']), 'base', String(row!['oid']));
    };

    async function copiesOf(text: string): Promise<number> {
      await engine.testStore().tamper('checkpoint');
      const folder = await clusterFolder();
      return readdirSync(folder).reduce((sum, name) => {
        // The server deletes files between the listing and the read.
        const file = statSync(join(folder, name), { throwIfNoEntry: false });
        if (file?.isFile() !== true) return sum;
        const bytes = readFileSync(join(folder, name)).toString('latin1').toLowerCase();
        return sum + bytes.split(text).length - 1;
      }, 0);
    }

    test('contain the name until the operator purges it', async (context) => {
      const { fact, submit, idOf, forget, find, good, fixture, call } = await start();
      const purge = () => fixture.truth.forgetting.purge(call('truth_purge'));
      context.skip(!existsSync(await clusterFolder()), 'the files of the database are on another machine');
      for (let i = 0; i < 10; i += 1) {
        await submit(invoice({ invoice_number: `Q-${i}`, customer_name: 'Zeno Xylophone', memo: 'm'.repeat(300) }));
      }
      await fact('company', 'Zeno Xylophone', { motto: 'xylophone forever' });
      expect(await find({ query: 'xylophone' })).toContain('zeno xylophone');
      // An older version had statistics of the content.
      await engine.testStore().tamper(`alter table truth_observations alter column fields set statistics 100`);
      await engine.testStore().tamper('analyze truth_observations');
      await engine.testStore().tamper(`alter table truth_observations alter column fields set statistics 0`);
      const { adminUrl } = engine.testStore() as PostgresTestStore;
      const reader = new pg.Client({ connectionString: adminUrl });
      await reader.connect();
      onTestFinished(() => reader.end());
      await reader.query('begin isolation level repeatable read');
      await reader.query('select 1');
      const id = await idOf('Zeno Xylophone');
      const certificate = await forget(id, { include_mentions: true });
      expect(certificate).toMatchObject({
        status: 'pending',
        pending: [expect.stringContaining('fourfold truth purge')],
      });
      // Negative control: deleted rows stay in the files.
      expect(await copiesOf('xylophone')).toBeGreaterThan(10);
      // The server would keep the rows that an older transaction can read.
      await expect(purgePostgres(adminUrl, { waitMs: 0 })).rejects.toMatchObject({
        code: 'STORE_SETUP',
        message: expect.stringContaining('can still read deleted rows'),
      });
      await reader.query('commit');
      // A later snapshot is as old as the oldest writer of any database.
      const elsewhere = new pg.Client({ connectionString: withAddress(adminUrl, { database: 'postgres' }) });
      await elsewhere.connect();
      onTestFinished(() => elsewhere.end());
      await elsewhere.query('begin');
      await elsewhere.query('select pg_current_xact_id()');
      await expect(purgePostgres(adminUrl, { waitMs: 0 })).rejects.toMatchObject({
        message: expect.stringContaining('a transaction that still writes'),
      });
      await elsewhere.query('commit');
      await expect(purge()).rejects.toMatchObject({ message: expect.stringContaining('only a superuser') });
      await purgePostgres(adminUrl);
      expect(await purge()).toBe(1);
      expect(await copiesOf('xylophone')).toBe(0);
      expect(await good('get_forget_certificate', { id: certificate.certificate_id })).toMatchObject({
        status: 'complete',
        pending: [],
      });
      expect(await purge()).toBe(0);
    });
  },
  [postgresEngine(false)],
);
