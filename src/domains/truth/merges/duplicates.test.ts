import { expect, test } from 'vitest';
import type { Reader } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { createGraphFixture, queryOf } from '../relationships/graph.fixture.ts';
import { codeOf, describeTruth, payloadOf } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import type { DuplicateCandidates } from './merge-model.ts';
import {
  listChildren,
  listMembers,
  listMembersOfKeys,
  listSharedKeys,
  listSharedKeysOfType,
  setRoot,
} from './merge-store.ts';

const alikeIn = (answer: ToolAnswer): readonly DuplicateCandidates[] =>
  answer['duplicates'] as readonly DuplicateCandidates[];
const namesIn = (answer: ToolAnswer) =>
  alikeIn(answer).map(({ entities }) => entities.map(({ canonical_name }) => canonical_name).sort());

describeTruth('potential duplicates', (engine) => {
  const open = () => {
    const graph = createGraphFixture(engine);
    return { ...graph, duplicates: (args: object = {}) => graph.ask('list_potential_duplicates', args) };
  };

  test('lists entities whose names differ only in word order and punctuation, with what they share', async () => {
    const { duplicates, stateAll, state } = open();
    await stateAll(['acme trading', 'trading, acme', 'globex']);
    await state('acme trading', { type: 'note' });
    const answer = await duplicates();
    expect(namesIn(answer)).toEqual([['acme trading', 'trading, acme']]);
    expect(alikeIn(answer)[0]).toMatchObject({
      entity_type: 'company',
      reason: { field: 'name', match_key: 'name=acme trading', text: 'same name apart from word order' },
    });
    expect(answer).not.toHaveProperty('next_cursor');
    expect(await duplicates({ entity_type: 'company' })).toEqual(answer);
    expect(alikeIn(await duplicates({ entity_type: 'note' }))).toEqual([]);
  });

  test('lists entities that share an identifier', async () => {
    const { duplicates, state } = open();
    await state('globex', { stated: { tax_id: 'DE 123-456' } });
    await state('initech', { stated: { tax_id: 'de123456' } });
    expect(alikeIn(await duplicates())).toMatchObject([{ reason: { field: 'tax_id', match_key: 'tax_id=de123456' } }]);
  });

  const textsIn = (answer: ToolAnswer) => alikeIn(answer).map(({ reason }) => reason.text);

  test.for([
    ['company', 'société générale', 'societe generale', 'same name without accents'],
    ['company', 'müller bau', 'mueller bau', 'same name without accents'],
    ['company', 'smith & sons', 'smith and sons', 'same name apart from “&” or “and”'],
    ['company', 'open-ai', 'openai', 'same name apart from punctuation and spaces'],
    ['company', 'micosoft', 'microsoft', 'similar spelling: micosoft and microsoft'],
    ['person', 'peter jonson', 'peter johnson', 'similar spelling: johnson and jonson'],
    ['person', 'hans meyer', 'hans maier', 'similar spelling: maier and meyer'],
  ] as const)('[TR63] lists %s %s and %s: %s', async ([type, a, b, text]) => {
    const { duplicates, state } = open();
    await state(a, { type });
    await state(b, { type });
    const answer = await duplicates();
    expect(namesIn(answer)).toEqual([[a, b].sort()]);
    expect(textsIn(answer)).toEqual([text]);
  });

  test('[TR63] does not list names that are only close', async () => {
    const { duplicates, state } = open();
    for (const [type, ...names] of [
      ['invoice', 'inv-1 acme', 'inv-2 acme', 'inv-1 globex'],
      ['company', 'vendor 1', 'vendor 2', 'sap', 'sas', 'acme north', 'acme south'],
      ['person', 'anna müller', 'anne müller', 'daniel weber', 'daniela weber', 'joel adams', 'jol adams'],
    ] as const)
      for (const name of names) await state(name, { type });
    expect(namesIn(await duplicates())).toEqual([]);
  });

  test('[TR63] lists a number with and without vendor, but not the same number of two vendors', async () => {
    const { duplicates, submit } = open();
    const send = (body: object) => submit(payloadOf('invoice', { amount: 5, ...body }));
    await send({ invoice_number: 'INV-7', vendor_name: 'Acme' });
    await send({ invoice_number: 'INV-7', vendor_name: 'Globex' });
    expect(alikeIn(await duplicates({ entity_type: 'invoice' }))).toEqual([]);
    await send({ invoice_number: 'INV-7' });
    const [alike, ...more] = alikeIn(await duplicates({ entity_type: 'invoice' }));
    expect(more).toEqual([]);
    expect(alike!.reason).toEqual({
      text: 'same invoice_number inv-7, one without vendor',
      field: 'invoice_number',
      match_key: 'invoice_number=inv7',
    });
    expect(alike!.entities).toHaveLength(3);
  });

  test('[TR63] lists an entity whose name is an alias of another, but not two with the same alias', async () => {
    const { duplicates, state } = open();
    await state('international business machines', { stated: { aliases: ['IBM'] } });
    await state('ibm deutschland', { stated: { aliases: ['I.B.M.'] } });
    expect(namesIn(await duplicates())).toEqual([]);
    await state('ibm');
    expect(namesIn(await duplicates())).toEqual([
      ['ibm', 'ibm deutschland'],
      ['ibm', 'international business machines'],
    ]);
    expect(textsIn(await duplicates()).sort()).toEqual(['“i.b.m.” is a name of both', '“ibm” is a name of both']);
  });

  test('[TR20] a merged pair of near names is not listed', async () => {
    const { duplicates, state, merge, unmerge } = open();
    const [a, b] = [await state('micosoft'), await state('microsoft')];
    await merge(a, b);
    expect(namesIn(await duplicates())).toEqual([]);
    await unmerge(a, b);
    expect(namesIn(await duplicates())).toEqual([['micosoft', 'microsoft']]);
  });

  test('[TR20] leaves out entities of one group, and compares the group with others', async () => {
    const { duplicates, state, merge, unmerge } = open();
    const a = await state('acme trading');
    const b = await state('trading, acme');
    await merge(a, b);
    expect(namesIn(await duplicates())).toEqual([]);
    const root = await state('globex');
    await merge(b, root);
    await state('acme: trading');
    expect(namesIn(await duplicates())).toEqual([['acme: trading', 'globex']]);
    await unmerge(a, root);
    expect(namesIn(await duplicates())).toEqual([['acme trading', 'acme: trading', 'globex']]);
  });

  test('[TR35] pages are consecutive and complete', async () => {
    const { duplicates, stateAll, state, merge } = open();
    const count = truthLimits.keysPageCount * 2 + 5;
    const firsts = await stateAll(Array.from({ length: count }, (_, i) => `thing no ${i}`));
    const seconds = await stateAll(Array.from({ length: count }, (_, i) => `no thing, ${i}`));
    await merge(firsts[3]!, seconds[3]!);
    await merge(firsts[20]!, seconds[20]!);
    await state('thing no 1', { type: 'task' });
    await state('no: thing 1', { type: 'task' });
    const all = await duplicates();
    expect(alikeIn(all)).toHaveLength(count - 2 + 1);
    const paged: DuplicateCandidates[] = [];
    let cursor: unknown;
    for (let pages = 0; pages < 20; pages += 1) {
      const page = await duplicates({ limit: 4, ...(cursor === undefined ? {} : { cursor }) });
      paged.push(...alikeIn(page));
      for (const name of ['total', 'offset']) expect(page).not.toHaveProperty(name);
      cursor = page['next_cursor'];
      if (cursor === undefined) break;
      expect(alikeIn(page)).toHaveLength(4);
    }
    expect(paged).toEqual(alikeIn(all));
  });

  test('shows only the first entities of a key that very many share', async () => {
    const { duplicates, stateAll } = open();
    const signs = Array.from({ length: truthLimits.duplicateEntitiesCount + 1 }, (_, i) => `acme${'!'.repeat(i + 1)}`);
    await stateAll(signs);
    const [alike] = alikeIn(await duplicates());
    expect(alike!.entities).toHaveLength(truthLimits.duplicateEntitiesCount);
    expect(alike).toMatchObject({ truncated: true });
  });

  test('shows nothing to another tenant and rejects its cursors', async () => {
    const { duplicates, stateAll } = open();
    await stateAll(['acme one', 'one, acme', 'acme two', 'two, acme']);
    const { next_cursor } = await duplicates({ limit: 1 });
    const other = open();
    expect(alikeIn(await other.duplicates())).toEqual([]);
    expect(codeOf(await other.duplicates({ cursor: next_cursor }))).toMatch(/INVALID_PARAMS|VALIDATION_ERROR/);
    expect(codeOf(await duplicates({ entity_type: 'note', cursor: next_cursor }))).toBe('VALIDATION_ERROR');
    for (const bad of [
      { cursor: 'x' },
      { cursor: '' },
      { limit: 0 },
      { limit: 1_001 },
      { entity_type: 'No Type' },
      { more: 1 },
    ]) {
      expect(codeOf(await duplicates(bad))).toMatch(/INVALID_PARAMS|VALIDATION_ERROR/);
    }
  });

  const key = { entity_type: 'company', match_key: 'name=x' };

  test.skipIf(engine.kind !== 'sqlite').for([
    ['shared keys', (db: Reader) => listSharedKeys(db, key, 10), 'SEARCH truth_shared_keys'],
    ['shared keys of a type', (db: Reader) => listSharedKeysOfType(db, key, 10), 'SEARCH truth_shared_keys'],
    ['entities of keys', (db: Reader) => listMembersOfKeys(db, [key, key], 10), 'PRIMARY KEY'],
    ['members', (db: Reader) => listMembers(db, 'ent_a', 10), 'truth_entities_merged'],
    ['children', (db: Reader) => listChildren(db, 'ent_a'), 'truth_entities_merged'],
    ['new roots', (db: Reader) => setRoot(db as never, ['ent_a'], 'ent_b'), 'PRIMARY KEY'],
  ] as const)('%s use an index', async ([, make, index]) => {
    const { read, tenant } = open();
    const rows = await read((db) =>
      db.all(sql<{ detail: string }>`explain query plan ${queryOf(make, tenant)}`)[Symbol.iterator](),
    );
    const plan = rows.map(({ detail }) => detail).join('\n');
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/(?:SCAN (?:truth_|[cek]\b)|\(tenant=\?\))/);
  });
});
