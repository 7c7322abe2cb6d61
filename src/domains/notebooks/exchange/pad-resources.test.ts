import { expect, test } from 'vitest';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { matchUri } from '#kernel/tool/resource.ts';
import { describeOnEngines } from '../notebooks.fixture.ts';
import { cellResources, notebookResources, padResources } from './pad-resources.ts';

describeOnEngines('pads as resources', (engine) => {
  const open = async () => {
    const memory = engine.open();
    const one = memory.as(engine.newTenant());
    await one.ask('scratch_create', {
      scratch_id: 'plan',
      metadata: { title: 'The plan' },
      cells: [
        { cell_id: 'a', language: 'py', content: 'print(1)' },
        { cell_id: 'b', language: 'json', content: '{}' },
      ],
    });
    return { memory, ...one };
  };

  test('reads a pad as the JSON of scratch_read', async () => {
    const { ask, askOrThrow } = await open();
    const content = await padResources.read({ scratch_id: 'plan' }, askOrThrow);
    expect(content?.mimeType).toBe('application/json');
    const { scratchpad } = await ask('scratch_read', { scratch_id: 'plan' });
    expect(JSON.parse((content as { text: string }).text)).toEqual(scratchpad);
  });

  test('reads a cell as plain text', async () => {
    const { askOrThrow } = await open();
    const read = (cell_id: string) => cellResources.read({ scratch_id: 'plan', cell_id }, askOrThrow);
    expect(await read('a')).toEqual({ mimeType: 'text/x-python', text: 'print(1)' });
    expect(await read('b')).toEqual({ mimeType: 'application/json', text: '{}' });
  });

  test('answers undefined for a missing pad or cell', async () => {
    const { askOrThrow } = await open();
    for (const scratch_id of ['missing', 'schemas', 'a b', '']) {
      expect(await padResources.read({ scratch_id }, askOrThrow)).toBeUndefined();
      expect(await cellResources.read({ scratch_id, cell_id: 'a' }, askOrThrow)).toBeUndefined();
    }
    for (const cell_id of ['missing', 'a b', '']) {
      expect(await cellResources.read({ scratch_id: 'plan', cell_id }, askOrThrow)).toBeUndefined();
    }
    const refusing = async () => {
      throw faults.PERMISSION_DENIED({ why: 'no' });
    };
    await expect(padResources.read({ scratch_id: 'plan' }, refusing)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  test('lists all pads in pages, each once', async () => {
    const { ask, askOrThrow } = await open();
    for (let i = 0; i < 120; i += 1) await ask('scratch_create', { scratch_id: `n${String(i).padStart(3, '0')}` });
    const first = await padResources.list!(askOrThrow, undefined);
    expect(first.items).toHaveLength(100);
    const second = await padResources.list!(askOrThrow, first.nextCursor);
    expect(second.nextCursor).toBeUndefined();
    const uris = [...first.items, ...second.items].map(({ uri }) => uri);
    expect(new Set(uris).size).toBe(121);
    expect(second.items.at(-1)).toEqual({
      uri: 'scratchpad://plan',
      name: 'plan',
      title: 'The plan',
      mimeType: 'application/json',
    });
    expect(await padResources.complete!('scratch_id', 'n01', askOrThrow, {})).toHaveLength(10);
    expect(await cellResources.complete!('scratch_id', 'pl', askOrThrow, {})).toEqual(['plan']);
    expect(await padResources.complete!('other', 'pl', askOrThrow, {})).toEqual([]);
    await expect(padResources.list!(askOrThrow, 'not a cursor')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  test('completes the cells of the chosen pad only', async () => {
    const { memory, ask, askOrThrow } = await open();
    const cells = ['a-first', 'b', 'a-last'].map((cell_id) => ({ cell_id, language: 'txt', content: '' }));
    await ask('scratch_create', { scratch_id: 'other', cells });
    const complete = (typed: string, chosen: Readonly<Record<string, string>>, by = askOrThrow) =>
      cellResources.complete!('cell_id', typed, by, chosen);
    expect(await complete('', { scratch_id: 'plan' })).toEqual(['a', 'b']);
    expect(await complete('a', { scratch_id: 'other' })).toEqual(['a-first', 'a-last']);
    for (const chosen of [{}, { scratch_id: 'missing' }, { scratch_id: 'schemas' }, { scratch_id: 'a b' }]) {
      expect(await complete('', chosen)).toEqual([]);
    }
    const stranger = memory.as(engine.newTenant()).askOrThrow;
    expect(await complete('', { scratch_id: 'plan' }, stranger)).toEqual([]);
  });

  test('maps a change of a pad or cell to its URI', async () => {
    const { memory, ask, tenant } = await open();
    const seq = await memory.storage.version(tenant, undefined);
    await ask('scratch_append_cell', { scratch_id: 'plan', cell: { cell_id: 'c', language: 'txt', content: '' } });
    const changes = await memory.storage.changesSince(tenant, undefined, seq, 10);
    const changed = changes.flatMap(({ topic, id, what }) =>
      notebookResources
        .filter(({ changes: concerned }) => concerned?.topic === topic)
        .map(({ changes: concerned }) => concerned!.variables(id, what)),
    );
    expect(changed).toContainEqual({ scratch_id: 'plan' });
    expect(changed).toContainEqual({ scratch_id: 'plan', cell_id: 'c' });
  });
});

test('assigns each URI to one resource family', () => {
  const owners = (uri: string) =>
    notebookResources.filter(({ uriTemplate }) => matchUri(uriTemplate, uri) !== undefined).map(({ name }) => name);
  expect(owners('scratchpad://plan')).toEqual(['scratchpad']);
  expect(owners('scratchpad://plan/a')).toEqual(['scratchpad-cell']);
  expect(owners('scratchpad://plan/a/b')).toEqual([]);
});
