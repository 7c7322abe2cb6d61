import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutationOn } from '../instructions/catalog-program.fixture.ts';
import { engines, type Json, type ServedTruth, serveTruth, type TruthCaller } from '../truth/truth-program.fixture.ts';

interface Difference {
  readonly memory: string;
  readonly id: string;
  readonly name?: string;
  readonly write?: { readonly seq: number; readonly actor: string; readonly tool: string; readonly what: string };
  readonly why?: string;
}

interface Compared {
  readonly appeared: readonly Difference[];
  readonly vanished: readonly Difference[];
  readonly changed: readonly Difference[];
  readonly unchanged_count: number;
  readonly arguments: readonly Json[];
}

interface Recalled {
  readonly receipt_id: string;
  readonly tokens: number;
  readonly rules?: readonly { readonly id: string }[];
  readonly notes?: readonly Json[];
  readonly changes?: readonly Json[];
}

const task = 'deploy the web shop to production';

describe.each(engines)('receipts of recall on %s', (engine) => {
  let server: ServedTruth;
  let lead: TruthCaller;
  let agent: TruthCaller;
  beforeAll(async () => {
    server = await serveTruth(engine, { ...mutationOn, FOURFOLD_RECALL_RECEIPTS: '3' });
    lead = await server.connect(await server.makeKey('acme', 'admin'));
    agent = await server.connect(await server.makeKey('acme'));
    await addRule('Deploy the shop before noon', 'Deploy to production before 12.');
  });
  afterAll(async () => {
    await agent?.client.close();
    await lead?.client.close();
    await server?.stop();
  });

  const addRule = async (title: string, body: string) => {
    const fixed = {
      id: 'deploy-window',
      priority: 50,
      audience: 'all',
      requirement: 'recommended',
      categories: ['ops'],
    };
    const entry = { ...fixed, title, body, appliesTo: { always: true } };
    const written = await lead.call('instructions_add', { entry, overwrite: true });
    expect(written).toMatchObject({ id: 'deploy-window' });
    expect(written).not.toHaveProperty('error');
  };
  const recall = (more: Json = {}) => agent.call<Recalled>('recall', { task, ...more });

  it('[CX6] says what changed lately about the items', async () => {
    const { changes } = await recall();
    expect(changes).toEqual([
      expect.objectContaining({
        memory: 'instructions',
        id: 'deploy-window',
        what: 'create',
        tool: 'instructions/add',
      }),
    ]);
  });

  it('[CX4] marks notes of other actors, but not those of the caller and of administrators', async () => {
    await lead.call('remember', { text: 'the shop deploys from the release branch' });
    await agent.call('remember', { text: 'the shop deploy needs the VPN' });
    const visitor = await server.connect(await server.makeKey('acme', 'write'));
    await visitor.call('remember', { text: 'the shop deploy password is on the wall, use it' });
    await visitor.call('scratch_create', {
      scratch_id: 'hints',
      cells: [{ language: 'md', content: 'the shop deploy is easy' }],
    });
    const { notes = [] } = await recall({ memories: ['notebooks'], task: 'shop deploy' });
    const marked = notes.filter(({ untrusted }) => untrusted === true).map(({ text }) => text);
    expect(notes).toHaveLength(4);
    expect(new Set(marked)).toEqual(
      new Set(['the shop deploy is easy', 'the shop deploy password is on the wall, use it']),
    );
    await lead.call('scratch_create', {
      scratch_id: 'hints',
      cells: [{ language: 'md', content: 'the shop deploy is easy' }],
    });
    const after = await recall({ memories: ['notebooks'], task: 'shop deploy' });
    expect(after.notes?.filter(({ untrusted }) => untrusted === true)).toHaveLength(1);
    await visitor.client.close();
  });

  it('[CX30] keeps arguments, actor and items, but no texts', async () => {
    const { receipt_id, tokens } = await recall({ files: ['deploy.sh'], budget_tokens: 800 });
    const receipt = await lead.call('recall_receipt', { receipt_id });
    expect(receipt).toMatchObject({
      ...{ receipt_id, task, tokens, actor: expect.stringMatching(/^key:/) as string, actor_name: 'of-acme' },
      arguments: { task, files: ['deploy.sh'], budget_tokens: 800 },
    });
    const items = receipt['items'] as readonly Json[];
    expect(items).toContainEqual(
      expect.objectContaining({ memory: 'instructions', id: 'deploy-window', hash: expect.any(String) as string }),
    );
    expect(JSON.stringify(receipt)).not.toContain('before 12');
  });

  it('[CX31] a comparison names the write that made the difference', async () => {
    const memories = ['instructions', 'truth'];
    const before = await recall({ memories });
    await addRule('Deploy the shop before ten', 'Deploy to production before 10.');
    await lead.call('store_fact', {
      subject: { type: 'service', name: 'Web shop production' },
      fields: { deploy: 'blue' },
    });
    const after = await recall({ memories });
    const compared = await lead.call<Compared>('recall_compare', { a: before.receipt_id, b: after.receipt_id });
    expect(compared.arguments).toEqual([]);
    expect(compared.changed).toEqual([
      expect.objectContaining({
        id: 'deploy-window',
        write: expect.objectContaining({ what: 'update', tool: 'instructions/add' }) as Json,
      }),
    ]);
    expect(compared.appeared).toEqual([
      expect.objectContaining({
        memory: 'truth',
        write: expect.objectContaining({ tool: 'store_fact' }) as Json,
        name: expect.any(String) as string,
      }),
    ]);
    const back = await lead.call<Compared>('recall_compare', { a: after.receipt_id, b: before.receipt_id });
    expect(back.vanished).toHaveLength(1);
    const same = await lead.call<Compared>('recall_compare', { a: after.receipt_id, b: after.receipt_id });
    expect(same).toMatchObject({ appeared: [], vanished: [], changed: [] });
  });

  it('[CX31] says so if the arguments differ and nothing was written', async () => {
    const [all, fewer] = [await recall(), await recall({ memories: ['truth'] })];
    const compared = await lead.call<Compared>('recall_compare', { a: all.receipt_id, b: fewer.receipt_id });
    expect(compared.arguments).toEqual([{ name: 'memories', b: ['truth'] }]);
    expect(compared.vanished).toContainEqual(
      expect.objectContaining({ id: 'deploy-window', why: 'the arguments differ' }),
    );
  });

  it('[CX30] keeps the newest ones only, and lists them page by page', async () => {
    const { receipt_id: oldest } = await recall();
    const ids = [];
    for (const word of ['one', 'two', 'three']) ids.push((await recall({ task: `${task} ${word}` })).receipt_id);
    interface Page {
      readonly receipts: readonly { readonly receipt_id: string }[];
      readonly next_cursor?: string;
    }
    const first = await lead.call<Page>('recall_receipts', { limit: 2 });
    const second = await lead.call<Page>('recall_receipts', { limit: 2, cursor: first.next_cursor });
    expect([...first.receipts, ...second.receipts].map(({ receipt_id }) => receipt_id)).toEqual(ids.toReversed());
    expect(second.next_cursor).toBeUndefined();
    expect(await lead.fail('recall_receipt', { receipt_id: oldest })).toMatchObject({
      code: 'NOT_FOUND',
      details: { fix: expect.stringContaining('recall_receipts') as string },
    });
  });

  it('[CX30] shows no receipts of other tenants', async () => {
    const { receipt_id } = await recall();
    const stranger = await server.connect(await server.makeKey('other'));
    expect(await stranger.call('recall_receipts')).toEqual({ receipts: [] });
    expect(await stranger.fail('recall_receipt', { receipt_id })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await stranger.fail('recall_compare', { a: receipt_id, b: receipt_id })).toMatchObject({
      code: 'NOT_FOUND',
    });
    await stranger.client.close();
  });
});

it.each([
  ['recallReceipts is 0', { FOURFOLD_RECALL_RECEIPTS: '0' }],
  ['the program is read-only', { FOURFOLD_READ_ONLY: '1' }],
])('[CX30] keeps no receipts if %s', async (_, env) => {
  const server = await serveTruth('SQLite', env);
  const agent = await server.connect(await server.makeKey('acme'));
  expect(await agent.call('recall', { task })).not.toHaveProperty('receipt_id');
  expect(await agent.call('recall_receipts')).toEqual({ receipts: [] });
  await agent.client.close();
  await server.stop();
});
