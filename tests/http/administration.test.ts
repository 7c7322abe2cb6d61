import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { sql } from '#kernel/storage/sql.ts';
import { type AskTool, openServedApp, type ServedApp } from './served-app.fixture.ts';

interface Listed {
  readonly keys: readonly { readonly id: string; readonly name: string; readonly state: string }[];
  readonly nextCursor?: string;
}

const denied = { status: 403, body: { error: { data: { name: 'PERMISSION_DENIED' } } } };

describe.each(['SQLite', 'PostgreSQL'] as const)('administration over HTTP on %s', (engine) => {
  let served: ServedApp;
  let operator: AskTool;
  let writer: AskTool;
  let acme: AskTool;
  beforeAll(async () => {
    served = await openServedApp(engine, { FOURFOLD_BEARER_TOKEN: 'a-token-that-must-stay-secret' });
    operator = (await served.as('admin', { name: 'laptop' })).ask;
    writer = (await served.as('write')).ask;
    acme = (await served.as('admin', { tenant: 'acme' })).ask;
  });
  afterAll(() => served.close());

  test('[SY8] shows a caller its tenant, name and scopes, and who is the operator', async () => {
    const own = await served.as('admin', { name: 'desk' });
    expect((await own.ask('caller/show')).body).toEqual({
      tenant: 'local',
      actor: `key:${own.id}`,
      name: 'desk',
      credential: 'key',
      scopes: ['admin'],
      isOperator: true,
      version: served.app.version,
      server: {
        mutation: true,
        readOnly: false,
        auth: true,
        semanticSearch: false,
        analytics: expect.any(Boolean) as boolean,
        features: ['usage'],
      },
    });
    expect((await writer('caller/show')).body).toMatchObject({ scopes: ['write'], isOperator: false });
    expect((await acme('caller/show')).body).toMatchObject({ tenant: 'acme', isOperator: false });
    const token = served.askWith('a-token-that-must-stay-secret');
    expect((await token('caller/show')).body).toMatchObject({ credential: 'token', scopes: ['read', 'write'] });
    expect(await writer('caller/show', { tenant: 'acme' })).toMatchObject({ status: 400 });
  });

  test('[SY9] creates a key that works, lists it without its text, and revokes it', async () => {
    const { body: made } = await operator<{ key: string; id: string }>('keys/create', {
      name: 'build server',
      scopes: ['read'],
      expiresDays: 30,
    });
    expect(made).toMatchObject({ tenant: 'local', name: 'build server', scopes: ['read'], state: 'active' });
    const client = served.askWith(made.key);
    expect((await client('caller/show')).body).toMatchObject({ name: 'build server', scopes: ['read'] });
    const listed = await operator<Listed>('keys/list', {});
    expect(listed.body.keys.find(({ id }) => id === made.id)).toMatchObject({ name: 'build server', state: 'active' });
    expect(JSON.stringify(listed.body)).not.toContain(made.key);
    const { body: revoked } = await operator('keys/revoke', { id: made.id });
    expect(revoked).toMatchObject({ id: made.id, state: 'revoked' });
    // Its last use may be noted in between.
    expect((await operator('keys/revoke', { id: made.id })).body).toMatchObject(revoked);
    expect(await client('caller/show')).toMatchObject({ status: 401 });
    const { body: trail } = await operator('audit/list', { topic: 'api_keys', id: made.id });
    expect(trail).toMatchObject({
      rows: [
        { tool: 'keys/revoke', actorName: 'laptop' },
        { tool: 'keys/create', actorName: 'laptop' },
      ],
    });
  });

  test('[SY9] keeps the keys of a tenant from its writers and from other tenants', async () => {
    expect(await writer('keys/list')).toMatchObject(denied);
    expect(await writer('keys/create', { name: 'x', scopes: ['admin'] })).toMatchObject(denied);
    expect(await acme('keys/list', { tenant: 'local' })).toMatchObject(denied);
    expect(await acme('keys/create', { name: 'x', scopes: ['admin'], tenant: 'local' })).toMatchObject(denied);
    const { id } = await served.as('read');
    expect(await acme('keys/revoke', { id, tenant: 'local' })).toMatchObject(denied);
    expect(await acme('keys/revoke', { id })).toMatchObject({ status: 404 });
    expect((await acme<Listed>('keys/list')).body.keys.map(({ name }) => name)).toEqual(['admin of acme']);
    expect((await operator<Listed>('keys/list', { tenant: 'acme' })).body.keys).toHaveLength(1);
    const { body: other } = await operator('keys/create', { name: 'new', scopes: ['write'], tenant: 'acme' });
    expect(other).toMatchObject({ tenant: 'acme' });
    const { body } = await acme('audit/list', { topic: 'api_keys', limit: 1 });
    expect(body).toMatchObject({ rows: [{ actorName: 'operator' }] });
  });

  test('[SY9] stores the text of a key nowhere, and takes no idempotency key for it', async () => {
    const args = { name: 'secret', scopes: ['read'] };
    const before = (await operator<Listed>('keys/list')).body.keys.length;
    const refused = await operator('keys/create', args, { 'idempotency-key': 'again' });
    expect(refused).toMatchObject({ status: 400, body: { error: { data: { name: 'INVALID_PARAMS' } } } });
    expect((await operator<Listed>('keys/list')).body.keys).toHaveLength(before);
    const { body } = await operator<{ key: string }>('keys/create', args);
    const secret = body.key.slice(-48);
    const storage = await served.app.storage.opened();
    const answers = await storage.read(systemCall('test'), (db) =>
      db.all(sql<{ answer: string }>`select answer from idempotency where tenant = ${db.tenant}`),
    );
    const rows = await storage.read(systemCall('test'), (db) =>
      db.all(sql<{ mac: string }>`select mac from api_keys where tenant = ${db.tenant}`),
    );
    expect(JSON.stringify([answers, rows])).not.toContain(secret);
  });

  test.each([
    ['no scope', { name: 'x', scopes: [] }],
    ['an unknown scope', { name: 'x', scopes: ['root'] }],
    ['an empty name', { name: ' ', scopes: ['read'] }],
    ['an expiry in the past', { name: 'x', scopes: ['read'], expiresDays: 0 }],
    ['a tenant that is a path', { name: 'x', scopes: ['read'], tenant: '../etc' }],
  ])('[SY9] rejects a key with %s', async (_title, args) => {
    const before = (await operator<Listed>('keys/list', { limit: 1_000 })).body.keys.length;
    expect(await operator('keys/create', args)).toMatchObject({ status: 400 });
    expect((await operator<Listed>('keys/list', { limit: 1_000 })).body.keys).toHaveLength(before);
  });

  test('[SY9] lists keys in pages, and rejects the cursor of another tenant', async () => {
    const first = await operator<Listed>('keys/list', { limit: 1 });
    const cursor = first.body.nextCursor;
    expect(first.body.keys).toHaveLength(1);
    const second = await operator<Listed>('keys/list', { limit: 1, cursor });
    expect(second.body.keys[0]!.id).not.toBe(first.body.keys[0]!.id);
    expect(await acme('keys/list', { cursor })).toMatchObject({ status: 400 });
  });

  test('[SY10] shows tenants, settings, jobs and backups to the operator only', async () => {
    for (const name of ['tenants/list', 'settings/list', 'jobs/list', 'backup/list', 'backup/create']) {
      expect(await acme(name), name).toMatchObject(denied);
      expect(await writer(name), name).toMatchObject(denied);
    }
    const { body } = await operator<{ tenants: readonly { tenant: string }[] }>('tenants/list');
    expect(body.tenants.map(({ tenant }) => tenant)).toEqual(['acme', 'local']);
    const paged = await operator<{ nextCursor: string }>('tenants/list', { limit: 1 });
    expect((await operator('tenants/list', { cursor: paged.body.nextCursor })).body).toMatchObject({
      tenants: [{ tenant: 'local', changesCount: expect.any(Number) as number }],
    });
  });

  test('[SY10] shows every setting with its source, and no secret', async () => {
    const { body } = await operator<{ settings: readonly { name: string }[] }>('settings/list');
    const named = (name: string) => body.settings.find((setting) => setting.name === name);
    expect(named('home')).toMatchObject({ value: served.home, source: 'variable', sourceName: 'FOURFOLD_HOME' });
    expect(named('port')).toMatchObject({ value: '0', source: 'flag', sourceName: '--port' });
    expect(named('auth')).toMatchObject({ value: 'true', source: 'default' });
    expect(named('bearerToken')).toMatchObject({ value: '***', isSecret: true, isSet: true });
    const text = JSON.stringify(body);
    expect(text).not.toContain('a-token-that-must-stay-secret');
    if (engine === 'PostgreSQL') expect(named('databaseUrl')).toMatchObject({ value: expect.stringContaining('***') });
  });

  test('[SY10] shows the jobs of the process', async () => {
    const { body } = await operator<{ jobs: readonly { name: string; about: string }[]; schema: number }>('jobs/list');
    expect(body.jobs.map(({ name }) => name)).toEqual(expect.arrayContaining(['audit-checkpoint', 'scrub']));
    expect(body.jobs.filter(({ about }) => about.startsWith('Background work'))).toEqual([]);
    expect(body).toMatchObject({ scrub: { damagedCount: 0 }, embedding: expect.any(Array) as unknown[] });
    expect(body.schema).toBeGreaterThan(0);
  });

  test('[SY10] makes a backup in the folder of backups and lists it', async () => {
    const filesOnly = engine === 'PostgreSQL';
    if (filesOnly) {
      expect(await operator('backup/create')).toMatchObject({
        status: 409,
        body: { error: { data: { name: 'BACKUP_ELSEWHERE' } } },
      });
    }
    expect((await operator('backup/list')).body).toEqual({ folder: `${served.home}-backups`, count: 0, backups: [] });
    const { body: made } = await operator<{ folder: string }>('backup/create', { filesOnly });
    expect(made).toMatchObject({ store: filesOnly ? 'none' : 'sqlite', withKeys: false });
    expect(existsSync(`${made.folder}/store.db`)).toBe(!filesOnly);
    expect(readFileSync(`${made.folder}/manifest.json`, 'utf8')).toContain('fourfold-backup');
    const { body } = await operator('backup/list');
    expect(body).toMatchObject({ count: 1, backups: [{ folder: made.folder, bytes: expect.any(Number) as number }] });
    expect(await operator('backup/create', { to: '/etc' })).toMatchObject({ status: 400 });
  });
});
