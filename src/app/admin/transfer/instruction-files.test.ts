import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { instructionTopic } from '#domains/instructions/instruction-ids.ts';
import { localTenant, toTenantId } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import { openCatalog } from '#tests/contract/catalog/open-catalog.fixture.ts';
import { createCall } from '#tests/contract/storage/call.ts';
import type { Engine } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { clock, tempFolder } from './export.fixture.ts';
import { exportTenant } from './export-tenant.ts';
import { type ImportMode, importTenant } from './import-tenant.ts';
import { createInstructionFiles } from './instruction-files.ts';

/** A store with the real tables, and a folder for entries. */
async function openHome(engine: Engine = sqliteEngine(false)) {
  const place = await engine.create();
  const storage = await place.open({ migrations, clock });
  onTestFinished(async () => {
    await storage.close();
    await place.remove();
  });
  const top = tempFolder();
  const folders = { folder: join(top, 'instructions'), tenantsFolder: join(top, 'tenants') };
  const instructionFiles = createInstructionFiles(folders);
  const shared = { migrations, clock, instructionFiles };
  return {
    storage,
    folders,
    put: (name: string, text: string | Buffer) => {
      mkdirSync(folders.folder, { recursive: true });
      writeFileSync(join(folders.folder, name), text);
    },
    read: (name: string) => readFileSync(join(folders.folder, name), 'utf8'),
    names: () => readdirSync(folders.folder).filter((name) => name.endsWith('.json')),
    exportTo: (to: string, more: { over?: Storage; writesSummaryFiles?: boolean } = {}) =>
      exportTenant({
        ...shared,
        storage: more.over ?? storage,
        writesSummaryFiles: more.writesSummaryFiles ?? false,
        program: '1.2.3',
        tenant: localTenant,
        to,
      }),
    importFrom: (from: string, mode: ImportMode = 'fail', tenant = localTenant) =>
      importTenant({ ...shared, storage, from, mode, tenant }),
    async hash(tenant = localTenant) {
      const opened = openCatalog(storage, folders);
      const state = await opened.catalog.state(createCall(tenant));
      await opened.close();
      return { hash: state.hash, count: state.count, problems: state.problems };
    },
  };
}

const toText = (id: string, more: object = {}) => `${JSON.stringify({ id, body: `The rule ${id}.`, ...more })}\n`;

async function fill(home: Awaited<ReturnType<typeof openHome>>, count = 5): Promise<void> {
  for (let at = 0; at < count; at += 1) home.put(`rule-${at}.json`, toText(`rule-${at}`, { colour: 'é 漢 \u{1F600}' }));
  home.put('broken.json', '{"id":"broken",');
}

describe('instructions in an export', () => {
  test('copies files to files, to rows and back byte for byte, including an invalid entry', async () => {
    const [one, two, rows, back] = [
      await openHome(),
      await openHome(),
      await openHome(postgresEngine(false)),
      await openHome(),
    ];
    const folder = tempFolder();
    await fill(one, 700);
    expect(await one.exportTo(join(folder, '1'))).toMatchObject({ rows: 701 });
    expect(await two.importFrom(join(folder, '1'))).toMatchObject({ read: 701, written: 701 });
    await rows.importFrom(join(folder, '1'));
    await rows.exportTo(join(folder, '2'));
    await back.importFrom(join(folder, '2'));
    await back.exportTo(join(folder, '3'));
    const exports = ['1', '2', '3'].map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(new Set(exports).size).toBe(1);
    const first = await one.hash();
    expect(first).toMatchObject({ count: 700, problems: [{ file: 'broken.json' }] });
    for (const home of [two, rows, back]) expect(await home.hash()).toEqual(first);
    expect(back.read('rule-3.json')).toBe(one.read('rule-3.json'));
    const [was, is] = [one, back].map(({ folders }) => statSync(join(folders.folder, 'rule-3.json')).mtimeMs);
    expect(Math.floor(is!)).toBe(Math.floor(was!));
  });

  test('an existing file rejects the import, is kept, or is replaced', async () => {
    const [one, two] = [await openHome(), await openHome()];
    const to = join(tempFolder(), 'out');
    await fill(one);
    await one.exportTo(to);
    two.put('rule-4.json', toText('rule-4', { title: 'mine' }));
    await expect(two.importFrom(to)).rejects.toMatchObject({ code: 'IMPORT_TAKEN' });
    expect(two.names()).toEqual(['rule-4.json']);
    expect(await two.importFrom(to, 'skip')).toMatchObject({ written: 5 });
    expect(two.read('rule-4.json')).toContain('mine');
    expect(await two.importFrom(to, 'replace')).toMatchObject({ written: 6 });
    expect(two.read('rule-4.json')).toBe(one.read('rule-4.json'));
    expect(readdirSync(two.folders.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('uses a separate folder for another tenant', async () => {
    const [one, two] = [await openHome(), await openHome()];
    const to = join(tempFolder(), 'out');
    await fill(one);
    await one.exportTo(to);
    await two.importFrom(to, 'fail', toTenantId('acme'));
    expect((await two.hash(toTenantId('acme'))).hash).toBe((await one.hash()).hash);
    expect((await two.hash()).count).toBe(0);
  });

  test('names and skips files that are not text, not regular, or have an invalid name', async () => {
    const home = await openHome();
    home.put('good.json', toText('good'));
    home.put('latin.json', Buffer.from('{"id":"latin","body":"gr\xfc\xdfe"}', 'latin1'));
    home.put('nul.json', '{"id":"nul","body":"\0"}');
    home.put('Up per.json', toText('Up per'));
    symlinkSync(join(home.folders.folder, 'good.json'), join(home.folders.folder, 'link.json'));
    const { rows, leftOut } = await home.exportTo(join(tempFolder(), 'out'));
    expect(rows).toBe(1);
    expect(leftOut?.map(({ file }) => file).toSorted()).toEqual(['Up per.json', 'latin.json', 'link.json', 'nul.json']);
  });

  test('exports a file whose name was translated, and names a second file with the same id', async () => {
    const [one, two] = [await openHome(), await openHome()];
    one.put('Git.Hooks.json', toText('Git.Hooks'));
    one.put('Style.json', toText('Style'));
    one.put('style.json', toText('style'));
    const to = join(tempFolder(), 'out');
    expect(await one.exportTo(to)).toMatchObject({
      rows: 2,
      leftOut: [{ file: 'Style.json', problem: 'its id style is already used by style.json' }],
    });
    await two.importFrom(to);
    expect((await two.hash()).hash).toBe((await one.hash()).hash);
    expect(readdirSync(two.folders.folder)).toEqual(expect.arrayContaining(['git-hooks.json', 'style.json']));
  });

  test.each([
    ['an id that names a path', { id: '../escape' }, 'its id is not a valid entry id'],
    ['a reserved id', { id: 'gates' }, 'its id is not a valid entry id'],
    ['an etag of another document', { etag: 'e' }, 'its etag does not match its document'],
  ])('rejects %s with its line, and writes nothing', async (_name, patch, why) => {
    const home = await openHome();
    home.put('good.json', toText('good'));
    home.put('other.json', toText('other'));
    const to = join(tempFolder(), 'out');
    await home.exportTo(to);
    const lines = readFileSync(to, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"good"'));
    const row = JSON.parse(lines[at]!) as { readonly r: object };
    lines[at] = JSON.stringify({ ...row, r: { ...row.r, ...patch } });
    const body = `${lines.slice(0, -2).join('\n')}\n`;
    const trailer = { ...(JSON.parse(lines.at(-2) ?? '') as object), sha256: sha256Hex(body) };
    writeFileSync(to, `${body}${JSON.stringify(trailer)}\n`);
    const target = await openHome();
    await expect(target.importFrom(to)).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
      message: `Line ${at + 1} of the export: ${why}`,
    });
    expect(() => target.names()).toThrow('ENOENT');
  });

  /** Changes instructions the given number of times while they are read. */
  const moving = (storage: Storage, times: number): Storage => {
    let version = 0;
    return new Proxy(storage, {
      get: (target, name, receiver) =>
        name === 'version'
          ? async (_tenant: unknown, topic: unknown) => {
              version += 1;
              return topic === instructionTopic ? Math.min(version, times + 1) : 0;
            }
          : Reflect.get(target, name, receiver),
    });
  };

  test('reads changing entries again, and fails rather than export a mixed state', async () => {
    const home = await openHome();
    home.put('good.json', toText('good'));
    const folder = tempFolder();
    const restless = { over: moving(home.storage, 1_000), writesSummaryFiles: true };
    await expect(home.exportTo(join(folder, 'out'), restless)).rejects.toMatchObject({ code: 'EXPORT_MOVED' });
    expect(readdirSync(folder)).toEqual([]);
    const calming = { over: moving(home.storage, 2), writesSummaryFiles: true };
    expect(await home.exportTo(join(folder, 'out'), calming)).toMatchObject({ rows: 1 });
    expect(readdirSync(folder)).toHaveLength(3);
  });
});

describe('usage and feedback files next to an export', () => {
  test('are replaced by the next export, but files of others are not', async () => {
    const home = await openHome();
    const folder = tempFolder();
    const beside = ['usage-snapshot.json', 'feedback-entries.json'].map((name) => join(folder, name));
    expect(await home.exportTo(join(folder, '1'), { writesSummaryFiles: true })).toMatchObject({ beside });
    expect(JSON.parse(readFileSync(beside[0]!, 'utf8'))).toMatchObject({ format: 'fourfold-usage', items: [] });
    expect(JSON.parse(readFileSync(beside[1]!, 'utf8'))).toMatchObject({ format: 'fourfold-feedback', entries: [] });
    await home.exportTo(join(folder, '2'), { writesSummaryFiles: true });
    writeFileSync(beside[0]!, '{"items":[]}');
    await expect(home.exportTo(join(folder, '3'), { writesSummaryFiles: true })).rejects.toMatchObject({
      code: 'TARGET_TAKEN',
    });
    expect(readFileSync(beside[0]!, 'utf8')).toBe('{"items":[]}');
    expect(readdirSync(folder).toSorted()).toEqual(['1', '2', 'feedback-entries.json', 'usage-snapshot.json']);
  });
});
