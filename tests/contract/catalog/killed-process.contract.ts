import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canonicalise, sourceHashOf } from '#domains/instructions/rules/derived-fields.ts';
import { localTenant } from '#kernel/call.ts';
import { sql } from '#kernel/storage/sql.ts';
import { startChild } from '../children/child.ts';
import { openStore } from '../children/open-store.ts';
import { createCall } from '../storage/call.ts';
import { createPostgresTestStore } from '../storage/postgres-engine.ts';
import { createSqliteTestStore } from '../storage/sqlite-engine.ts';
import { openCatalog } from './open-catalog.fixture.ts';

const script = new URL('../children/catalog-writer.ts', import.meta.url);

/** The last acknowledged step of each id. */
type Acknowledged = Map<string, number>;

async function killWhileWriting(at: string, top: string, round: number, mode: string, known: Acknowledged) {
  const child = startChild(script, at, top, `r${round}`, mode);
  const killAfterCount = 1 + Math.floor(Math.random() * 40);
  let count = 0;
  for await (const line of child.lines) {
    const [ids = '', step = ''] = line.split(' ');
    for (const id of ids.split(',')) known.set(id, Number(step));
    count += 1;
    if (count === killAfterCount) child.kill();
  }
  expect(await child.ended()).toBeNull();
}

/** Everything that is wrong after a process was killed. */
async function findFlaws(at: string, top: string, known: Acknowledged): Promise<readonly string[]> {
  const storage = await openStore(at);
  const { catalog, close } = openCatalog(storage, { folder: `${top}/instructions`, tenantsFolder: `${top}/tenants` });
  const call = () => createCall(localTenant, { deadlineAt: Date.now() + 300_000 });
  const state = await catalog.state(call());
  const stepOf = (id: string): number => Number(state.find(id)?.entry.body.slice('step '.length) ?? 4);
  const flaws = state.problems.map(({ file, problem }) => `${file}: ${problem}`);
  for (const [id, step] of known) if (stepOf(id) < step) flaws.push(`${id} is lost: at ${stepOf(id)}, not ${step}`);
  const isThere = (id: string) => state.find(id) !== undefined;
  for (const [id, step] of known) if (step < 3 && !isThere(id) && !mayBeRemoved(id)) flaws.push(`${id} is not there`);
  for (const { id, body, sourceHash } of state.entries) {
    if (sourceHashOf(canonicalise(body, false)) !== sourceHash) flaws.push(`${id} has a wrong hash`);
    const [, batch] = /^(batch-.*)-\d$/.exec(id) ?? [];
    if (batch === undefined) continue;
    const steps = new Set([0, 1, 2, 3, 4].map((i) => stepOf(`${batch}-${i}`)));
    if (steps.size > 1) flaws.push(`${batch} is half done: ${[...steps].join(', ')}`);
  }
  const { total } = await catalog.search(call(), { text: 'step', limit: 1 });
  if (total !== state.count) flaws.push(`${total} of ${state.count} entries were found`);
  const left = await storage.read(call(), function* (db) {
    const rows = yield* db.all(sql<{ id: string }>`select id from instruction_journal where tenant = ${localTenant}`);
    const outside = yield* db.all(sql<{ id: string }>`
      select id from changes where tenant = ${localTenant} and actor = 'outside'`);
    return [
      ...rows.map(({ id }) => `${id} is still in the journal`),
      ...outside.map(({ id }) => `${id} was recorded as an outside edit`),
    ];
  });
  flaws.push(...left);
  await close();
  await storage.close();
  return flaws;
}

/** tests/program kills the real program two hundred times; this checks what only the store shows. */
const honestRounds = 6;

/** Every third entry is removed at the end; a removal that was not acknowledged may have happened. */
const mayBeRemoved = (id: string): boolean => Number(/^(?:one-r\d+-\d+|batch-r\d+)-(\d+)/.exec(id)?.[1]) % 3 === 0;

async function rounds(at: string, roundCount: number, mode: string) {
  const top = await mkdtemp(join(tmpdir(), 'ff-killed-'));
  await (await openStore(at)).close();
  const known: Acknowledged = new Map();
  const flaws: string[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    await killWhileWriting(at, top, round, mode, known);
    flaws.push(...(await findFlaws(at, top, known)));
    if (flaws.length > 0) break;
  }
  const names = await readdir(`${top}/instructions`).catch(() => []);
  await rm(top, { recursive: true, force: true });
  return { flaws, knownCount: known.size, names };
}

export function describeKilledCatalog(): void {
  describe('a process that is killed while it changes the catalog', () => {
    test('loses no acknowledged change and leaves nothing half done, with files', async () => {
      const place = await createSqliteTestStore();
      const { flaws, knownCount } = await rounds(place.file, honestRounds, 'honest');
      expect(flaws).toEqual([]);
      expect(knownCount).toBeGreaterThan(honestRounds);
      await place.remove();
    });

    test('loses no acknowledged change and leaves nothing half done, with a table', async () => {
      const place = await createPostgresTestStore();
      const { flaws, knownCount, names } = await rounds(place.url, honestRounds, 'honest');
      expect(flaws).toEqual([]);
      expect(knownCount).toBeGreaterThan(honestRounds);
      expect(names).toEqual([]);
      await place.remove();
    });

    test('negative control: a process that acknowledges before the commit is detected', async () => {
      const place = await createSqliteTestStore();
      const { flaws } = await rounds(place.file, 10, 'early');
      expect(flaws.length).toBeGreaterThan(0);
      await place.remove();
    });
  });

  test.each([
    ['folder', createSqliteTestStore, (place: { file?: string }) => place.file!],
    ['table', createPostgresTestStore, (place: { url?: string }) => place.url!],
  ] as const)('two processes that write the same %s lose nothing', async (_what, create, addressOf) => {
    const place = await create();
    const at = addressOf(place);
    const top = await mkdtemp(join(tmpdir(), 'ff-shared-'));
    await (await openStore(at)).close();
    const count = 25;
    const children = ['p1', 'p2'].map((name) => startChild(script, at, top, name, 'count', String(count)));
    const lines = await Promise.all(
      children.map(async (child) => {
        const said: string[] = [];
        for await (const line of child.lines) said.push(line);
        return said;
      }),
    );
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0]);
    const known: Acknowledged = new Map(lines.flat().map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
    const storage = await openStore(at);
    const { catalog, close } = openCatalog(storage, { folder: `${top}/instructions`, tenantsFolder: `${top}/tenants` });
    const state = await catalog.state(createCall(localTenant));
    expect(state.find('counter')?.entry.title).toBe(String(2 * count));
    for (const [id, step] of known)
      expect(state.find(id)?.entry.body, id).toBe(step === 4 ? undefined : `step ${step}`);
    expect(known.size).toBe(2 * count);
    const outside = await storage.read(createCall(localTenant), function* (db) {
      return yield* db.all(sql`select id from changes where tenant = ${localTenant} and actor = 'outside'`);
    });
    expect(outside).toEqual([]);
    await close();
    await storage.close();
    await rm(top, { recursive: true, force: true });
    await place.remove();
  });
}
