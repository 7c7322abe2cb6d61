import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { type CatalogProgram, type Json, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { entryFiles, entryIds, entryInput } from './entries.fixture.ts';
import { hostileIds, reservedIds } from './hostile-ids.fixture.ts';

const form = 'plain method';

/** Every tool that takes an id, with its answer for an impossible one. */
const takers: readonly (readonly [name: string, args: (id: string) => Json, nothing: (value: Json) => boolean])[] = [
  ['instructions/get', (id) => ({ id }), ({ notFound }) => notFound === true],
  ['instructions/getEnhanced', (id) => ({ id }), ({ notFound }) => notFound === true],
  ['instructions/list', (expectId) => ({ expectId, limit: 1 }), ({ count }) => count === entryIds.length],
  ['instructions/export', (id) => ({ ids: [id] }), ({ items }) => Array.isArray(items) && items.length === 0],
  [
    'instructions/add',
    (id) => ({ entry: entryInput('x', { id }), overwrite: true }),
    ({ created, overwritten }) => created === false && overwritten === false,
  ],
  [
    'instructions/import',
    (id) => ({ entries: [entryInput('x', { id })], mode: 'overwrite', validate: false }),
    ({ imported, overwritten }) => imported === 0 && overwritten === 0,
  ],
  ['instructions/remove', (id) => ({ ids: [id] }), ({ removed }) => removed === 0],
  ['instructions/restore', (id) => ({ ids: [id] }), ({ restored }) => restored === 0],
  ['instructions/governanceUpdate', (id) => ({ id, patch: { owner: 'eve' } }), ({ changed }) => changed === false],
  ['usage/track', (id) => ({ id }), ({ notFound }) => notFound === true],
];

describe.each(['files', 'PostgreSQL'])('invalid input, with %s', (engine) => {
  let program: CatalogProgram;
  let drop: () => Promise<void> = async () => {};
  const isFiles = engine === 'files';
  const listTree = (): readonly string[] =>
    readdirSync(join(program.entries, '..')).flatMap((name) =>
      name === 'home'
        ? [name]
        : readdirSync(join(program.entries, '..', name)).filter((file) => file.endsWith('.json')),
    );

  beforeAll(async () => {
    if (isFiles) {
      program = await openCatalog(mutationOn, entryFiles);
      // The first call creates the data folder.
      await program.value(form, 'instructions/list');
      return;
    }
    const database = await createTestDatabase();
    drop = database.drop;
    program = await openCatalog({ ...mutationOn, FOURFOLD_DATABASE_URL: database.url });
    await program.value(form, 'instructions/import', { entries: Object.values(entryFiles), mode: 'skip' });
  });
  afterAll(async () => {
    await program.close();
    await drop();
  });

  const expectUntouched = async (): Promise<void> => {
    const { items } = await program.value<{ items: readonly { id: string }[] }>(form, 'instructions/list');
    expect(items.map(({ id }) => id)).toEqual(entryIds);
    expect(await program.value(form, 'integrity/verify')).toMatchObject({ count: 3, issueCount: 0 });
  };

  it.each(takers)(
    '%s accepts no id that names something else, and nothing changes',
    async (name, toArgs, isNothing) => {
      const before = listTree();
      const wrong: string[] = [];
      // An import lowers capitals and replaces dots: ids of other catalogs.
      const isMapped = (id: string) =>
        name === 'instructions/import' && /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(id);
      for (const id of hostileIds.filter((one) => !isMapped(one) || one.length > 120)) {
        const { value, error } = await program.call(form, name, toArgs(id));
        const isRefused = error !== undefined && [-32602, -32001, -32002].includes(error.code);
        if (!isRefused && (value === undefined || !isNothing(value)))
          wrong.push(`${JSON.stringify(id)}: ${JSON.stringify(value ?? error)}`);
      }
      expect(wrong).toEqual([]);
      expect(listTree()).toEqual(before);
      expect(existsSync('/tmp/escape.json')).toBe(false);
      await expectUntouched();
    },
  );

  it('rejects ids of config files and devices, and does not report those files as invalid entries', async () => {
    for (const id of reservedIds) {
      const answer = await program.value(form, 'instructions/add', { entry: entryInput(id), overwrite: true });
      expect(answer, id).toMatchObject({ created: false, error: expect.stringContaining('reserved id') });
      const imported = await program.value(form, 'instructions/import', {
        entries: [entryInput(id)],
        mode: 'overwrite',
        validate: false,
      });
      expect(imported, id).toMatchObject({ imported: 0, errors: [{ index: 0, id, code: 'INVALID_ID' }] });
    }
    program.writeFile('gates.json', { gates: [] });
    program.writeFile('owners.json', { ownership: [] });
    for (const id of ['gates', 'owners']) {
      expect(await program.value(form, 'instructions/get', { id })).toMatchObject({ notFound: true });
      expect(await program.value(form, 'instructions/remove', { ids: [id] })).toMatchObject({ removed: 0 });
    }
    expect(await program.value(form, 'instructions/inspect')).toMatchObject({ data: { validation: { problems: [] } } });
    expect(readFileSync(join(program.entries, 'owners.json'), 'utf8')).toContain('ownership');
    expect(await program.value(form, 'instructions/add', { entry: entryInput('beta') })).toMatchObject({
      skipped: true,
    });
    await expectUntouched();
  });

  it.each([
    ['a body over the limit', entryInput('big', { body: 'x'.repeat(50_001) }), 'RESOURCE_LIMIT'],
    ['an unknown key', entryInput('keyed', { colour: 'red' }), 'INVALID_FIELD'],
    ['a missing owner', entryInput('unowned', { requirement: 'mandatory' }), 'VALIDATION_ERROR'],
    ['a version that is not bumped', entryInput('beta', { version: '0.9.0', body: 'New.' }), 'VALIDATION_ERROR'],
    ['a malformed version', entryInput('beta', { version: 'one', body: 'New.' }), 'VALIDATION_ERROR'],
    ['a list instead of an entry', [], 'MISSING_FIELD'],
    ['a text instead of an entry', 'beta', 'MISSING_FIELD'],
    ['nothing', null, 'MISSING_FIELD'],
    ['a dependency on itself', entryInput('selfish', { dependencies: ['selfish'] }), 'VALIDATION_ERROR'],
  ])('import reports %s by its index', async (_what, entry, code) => {
    const answer = await program.value(form, 'instructions/import', { entries: [entry], mode: 'overwrite' });
    expect(answer).toMatchObject({ imported: 0, overwritten: 0, total: 1, errors: [{ index: 0, code }] });
    await expectUntouched();
  });

  it('import stores a duplicate id once and reports the second by its index', async () => {
    const entries = [entryInput('twice', { body: 'first' }), entryInput('twice', { body: 'second' })];
    expect(await program.value(form, 'instructions/import', { entries, mode: 'overwrite' })).toMatchObject({
      imported: 1,
      errors: [{ index: 1, id: 'twice', code: 'DUPLICATE_ID' }],
    });
    expect(await program.value(form, 'instructions/get', { id: 'twice' })).toMatchObject({ item: { body: 'first' } });
    await program.value(form, 'instructions/remove', { ids: ['twice'] });
    await expectUntouched();
  });

  it('import reports a cycle where it closes', async () => {
    for (const key of ['dependencies', 'supersedes']) {
      const link = (id: string) => ({ [key]: key === 'supersedes' ? id : [id] });
      const entries = [
        entryInput('ring-a', link('ring-b')),
        entryInput('ring-b', link('ring-c')),
        entryInput('ring-c', link('ring-a')),
      ];
      const answer = await program.value(form, 'instructions/import', { entries, mode: 'overwrite' });
      expect(answer).toMatchObject({ imported: 2, errors: [{ index: 2, error: expect.stringContaining('cycle') }] });
      await program.value(form, 'instructions/remove', { ids: ['ring-a', 'ring-b'] });
    }
    await expectUntouched();
  });

  it('removing a thousand ids needs confirm, even if most do not exist', async () => {
    const ids = [...entryIds, ...Array.from({ length: 997 }, (_, n) => `unknown-${n}`)];
    const refused = await program.error(form, 'instructions/remove', { ids });
    expect(refused).toMatchObject({ code: -32002, data: { name: 'VALIDATION_ERROR', count: 1_000 } });
    await expectUntouched();
  });

  it.each([
    ['gates/evaluate', 'gates.json', {}],
    ['prompt/review', 'PROMPT-CRITERIA.json', { prompt: 'Please do it.' }],
    ['instructions/add', 'owners.json', { entry: entryInput('owned'), overwrite: true }],
  ])('%s reports an invalid %s, and everything else is served', async (name, file, args) => {
    const path = join(program.entries, file);
    const put: Readonly<Record<string, () => void>> = {
      truncated: () => writeFileSync(path, '{"gates":[{"id"'),
      'not UTF-8': () => writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
      'of another form': () => writeFileSync(path, '{"gates":7,"categories":7,"ownership":7}'),
      'a folder': () => mkdirSync(path),
      'a device': () => symlinkSync('/dev/zero', path),
      deep: () => writeFileSync(path, `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    };
    for (const [what, make] of Object.entries(put)) {
      rmSync(path, { recursive: true, force: true });
      make();
      const error = await program.error(form, name, args);
      expect(error.code, what).toBe(-32002);
      expect(error.message, what).toContain(file);
      expect(JSON.stringify(error), what).not.toContain(program.entries);
      expect(await program.value(form, 'instructions/get', { id: 'beta' })).toMatchObject({ item: { id: 'beta' } });
    }
    rmSync(path, { recursive: true, force: true });
    await expectUntouched();
  });
});

describe('a folder with files that are not entries', () => {
  it('neither overwrites nor removes them', async () => {
    const program = await openCatalog(mutationOn, entryFiles);
    const bad: Readonly<Record<string, (path: string) => void>> = {
      cut: (path) => writeFileSync(path, '{"id":"cut","bo'),
      latin: (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
      link: (path) => symlinkSync(join(program.entries, 'alpha.json'), path),
      away: (path) => symlinkSync('/etc/hostname', path),
      folder: (path) => mkdirSync(path),
    };
    for (const [id, make] of Object.entries(bad)) {
      const path = join(program.entries, `${id}.json`);
      make(path);
      for (const overwrite of [false, true]) {
        const { value, error } = await program.call(form, 'instructions/add', { entry: entryInput(id), overwrite });
        expect(error?.code === -32002 || value?.['created'] === false, id).toBe(true);
        expect(value?.['overwritten'] ?? false, id).toBe(false);
      }
      expect(await program.value(form, 'instructions/remove', { ids: [id] }), id).toMatchObject({ removed: 0 });
      expect(await program.value(form, 'instructions/get', { id: 'alpha' })).toMatchObject({ item: { id: 'alpha' } });
      expect(readdirSync(program.entries)).toContain(`${id}.json`);
      rmSync(path, { recursive: true });
    }
    expect(await program.value(form, 'instructions/reload')).toMatchObject({ count: entryIds.length });
    expect(await program.value(form, 'integrity/verify')).toMatchObject({ issueCount: 0 });
    await program.close();
  });
});
