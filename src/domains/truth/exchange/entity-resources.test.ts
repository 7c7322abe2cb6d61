import { expect, test } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import { matchUri } from '#kernel/tool/resource.ts';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { companyId, createEntitiesFixture } from '../entities/entities.fixture.ts';
import { describeTruth, type TruthEngine } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { entityResources, truthResources } from './entity-resources.ts';

/** Calls a tool like a client; throws the fault. */
const orThrow =
  (ask: (name: string, args: unknown) => Promise<ToolAnswer>): Ask =>
  async (name, args) => {
    const answer = await ask(name, args);
    const error = answer['error'] as { readonly code: string; readonly message: string } | undefined;
    if (error === undefined) return answer;
    throw new Fault({ ...faults.NOT_FOUND.kind, code: error.code }, error.message);
  };

function open(engine: TruthEngine) {
  const fixture = createEntitiesFixture(engine);
  return { fixture, by: orThrow(fixture.ask) };
}

describeTruth('entity resources', (engine) => {
  const complete = (typed: string, by: Ask, variable = 'entity_id') =>
    entityResources.complete!(variable, typed, by, {});

  test('reads an entity as the tool answers it', async () => {
    const { fixture, by } = open(engine);
    await fixture.say({ company: 'Acme Corp', stated: { name: 'Acme Corp', address: '1 Road' }, source: { id: 'p1' } });
    const entity_id = companyId('Acme Corp');
    const content = await entityResources.read({ entity_id }, by);
    expect(content?.mimeType).toBe('application/json');
    const snapshot = await fixture.ask('get_entity_snapshot', { entity_id });
    expect(snapshot).toMatchObject({ entity_id, snapshot: { name: 'Acme Corp' } });
    expect(JSON.parse((content as { text: string }).text)).toEqual(snapshot);
  });

  test('answers undefined for an unknown entity, and passes other faults on', async () => {
    const { fixture, by } = open(engine);
    await fixture.say({ company: 'Acme', stated: { name: 'Acme' }, source: { id: 'p1' } });
    for (const entity_id of ['ent_0', companyId('Unknown'), 'x', '', 'ent_A']) {
      expect(await entityResources.read({ entity_id }, by)).toBeUndefined();
    }
    const stranger = open(engine).by;
    expect(await entityResources.read({ entity_id: companyId('Acme') }, stranger)).toBeUndefined();
    expect((await entityResources.list!(stranger, undefined)).items).toEqual([]);
    expect(await complete('Acme', stranger)).toEqual([]);
    const refusing: Ask = async () => {
      throw faults.PERMISSION_DENIED({ why: 'no' });
    };
    await expect(entityResources.read({ entity_id: companyId('Acme') }, refusing)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  test('lists all entities, page by page, each once', async () => {
    const { fixture, by } = open(engine);
    const { listPageCount } = truthLimits;
    const names = Array.from({ length: listPageCount + 20 }, (_, i) => `House ${i}`);
    for (const company of names) await fixture.say({ company, stated: { name: company }, source: { id: company } });
    const first = await entityResources.list!(by, undefined);
    expect(first.items).toHaveLength(listPageCount);
    const second = await entityResources.list!(by, first.nextCursor);
    expect(second.nextCursor).toBeUndefined();
    const items = [...first.items, ...second.items];
    expect(new Set(items.map(({ uri }) => uri))).toEqual(new Set(names.map((name) => `entity://${companyId(name)}`)));
    expect(items.find(({ name }) => name === companyId('House 3'))).toEqual({
      uri: `entity://${companyId('House 3')}`,
      name: companyId('House 3'),
      title: 'house 3',
      description: 'company',
      mimeType: 'application/json',
    });
    for (const cursor of ['x', '-1', '100001', '1e3', '']) {
      await expect(entityResources.list!(by, cursor)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    }
    expect(await complete('ent_', by)).toHaveLength(truthLimits.completedCount);
  });

  test('completes an id from its beginning or from the name of the entity', async () => {
    const { fixture, by } = open(engine);
    for (const company of ['Acme Corp', 'Zephyr']) {
      await fixture.say({ company, stated: { name: company }, source: { id: company } });
    }
    const [acme, zephyr] = [companyId('Acme Corp'), companyId('Zephyr')];
    for (const typed of ['', 'e', 'ent_'])
      expect((await complete(typed, by)).toSorted()).toEqual([acme, zephyr].sort());
    expect(await complete(acme.slice(0, 12), by)).toEqual([acme]);
    expect(await complete(acme, by)).toEqual([acme]);
    expect(await complete('  ACME  corp.', by)).toEqual([acme]);
    expect(await complete('Unknown', by)).toEqual([]);
    expect(await complete('x'.repeat(2_000), by)).toEqual([]);
    expect(await complete('Zephyr', by, 'other')).toEqual([]);
  });

  test('maps a change of an entity to its URI', async () => {
    const { fixture } = open(engine);
    const seq = await fixture.storage.version(fixture.tenant, undefined);
    await fixture.say({ company: 'Acme', stated: { name: 'Acme' }, source: { id: 'p1' } });
    const changes = await fixture.storage.changesSince(fixture.tenant, undefined, seq, 100);
    const answer = changes.flatMap(({ topic, id, what }) =>
      truthResources
        .filter(({ changes: concerned }) => concerned?.topic === topic)
        .map(({ changes: concerned }) => concerned!.variables(id, what)),
    );
    expect(answer).toContainEqual({ entity_id: companyId('Acme') });
  });
});

test('accepts exactly one name after the scheme', () => {
  expect(matchUri(entityResources.uriTemplate, 'entity://ent_1')).toEqual({ entity_id: 'ent_1' });
  expect(matchUri(entityResources.uriTemplate, 'entity://ent_1/x')).toBeUndefined();
});
