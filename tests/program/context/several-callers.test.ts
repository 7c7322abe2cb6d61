import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutationOn } from '../instructions/catalog-program.fixture.ts';
import { engines, type Json, type ServedTruth, serveTruth, type TruthCaller } from '../truth/truth-program.fixture.ts';

interface RememberedItem {
  readonly kind: string;
  readonly id: string;
  readonly known?: true;
}

describe.each(engines)('callers with keys of their own on %s', (engine) => {
  let server: ServedTruth;
  let ada: TruthCaller;
  let bob: TruthCaller;
  let stranger: TruthCaller;
  beforeAll(async () => {
    server = await serveTruth(engine, mutationOn);
    const open = async (tenant: string, ...scopes: readonly string[]) =>
      server.connect(await server.makeKey(tenant, ...scopes));
    [ada, bob, stranger] = [await open('local'), await open('local', 'admin'), await open('other')];
  });
  afterAll(async () => {
    for (const { client } of [ada, bob, stranger]) await client.close();
    await server.stop();
  });

  const remember = async (caller: TruthCaller, text: string, more: Json = {}) => {
    const { remembered } = await caller.call<{ remembered: readonly RememberedItem[] }>('remember', { text, ...more });
    return remembered[0]!;
  };

  it('[CX14] the same text of two callers in one workspace is kept once', async () => {
    const more = { namespace: 'web-shop' };
    const first = await remember(ada, 'the fuse box is in the cellar', more);
    expect(await remember(bob, 'The fuse box is in the cellar.', more)).toMatchObject({ id: first.id, known: true });
  });

  it('[CX14] [CX20] a note that was moved to another scratchpad is known, has its author, and can be forgotten', async () => {
    const namespace = 'orchard';
    const text = 'the apple trees are pruned in February';
    const { id } = await remember(ada, text, { namespace });
    const [scratch_id = '', cell_id = ''] = id.slice('note:'.length).split('/');
    await bob.call('scratch_create', { scratch_id: 'garden', metadata: { namespace } });
    await bob.call('scratch_move_cell', { scratch_id, cell_id, to_scratch_id: 'garden' });
    const moved = `note:garden/${cell_id}`;
    expect(await remember(bob, text, { namespace })).toMatchObject({ id: moved, known: true });
    const notesOf = async (caller: TruthCaller) =>
      (
        await caller.call<{ notes?: readonly Json[] }>('recall', {
          task: 'when are the apple trees pruned?',
          namespace,
        })
      ).notes;
    expect(await notesOf(bob)).toMatchObject([{ scratch_id: 'garden', cell_id, text, untrusted: true }]);
    expect((await notesOf(ada))?.[0]).not.toHaveProperty('untrusted');
    await ada.call('forget', { id });
    expect(await notesOf(ada)).toBeUndefined();
    expect(await remember(ada, text, { namespace })).toMatchObject({ id });
  });

  it('[CX14] the same text in another workspace or of another tenant is kept again', async () => {
    const text = 'the ladder is behind the stage';
    const kept = [
      await remember(ada, text, { namespace: 'theatre' }),
      await remember(ada, text, { namespace: 'museum' }),
      await remember(stranger, text, { namespace: 'theatre' }),
    ];
    expect(kept.filter(({ known }) => known)).toEqual([]);
    expect(kept[1]!.id).not.toBe(kept[0]!.id);
    await stranger.call('forget', { id: kept[2]!.id });
    expect(await remember(ada, text, { namespace: 'theatre' })).toMatchObject({ id: kept[0]!.id, known: true });
  });

  it('[CX14] without a workspace each caller has an inbox, so the same text is kept in both', async () => {
    const text = 'the spare battery is in the left drawer';
    const [first, second] = [await remember(ada, text), await remember(bob, text)];
    expect(second).not.toHaveProperty('known');
    expect(second.id.split('/')[0]).not.toBe(first.id.split('/')[0]);
    expect(await remember(ada, text)).toMatchObject({ id: first.id, known: true });
    await bob.call('forget', { id: second.id });
    expect(await remember(ada, text)).toMatchObject({ id: first.id, known: true });
  });

  it('[CX20] a caller without the scope admin proposes the removal of a rule, and can take that back', async () => {
    const { id } = await remember(ada, 'Never paint the stage floor during a show');
    const proposalId = id.replace('proposal:', '');
    const { id: ruleId } = await bob.call<{ id: string }>('instructions_approve', { proposal_id: proposalId });
    const answer = await ada.call<{ forgotten: boolean; restore?: { tool: string; arguments: Json } }>('forget', {
      id: `rule:${ruleId}`,
    });
    expect(answer).toMatchObject({ forgotten: false, restore: { tool: 'instructions/propose' } });
    const pending = async () => (await bob.call<{ items: readonly Json[] }>('instructions_proposals', {})).items;
    expect(await pending()).toHaveLength(1);
    await ada.call('tools_call', { name: answer.restore!.tool, arguments: answer.restore!.arguments });
    expect(await pending()).toEqual([]);
  });
});
