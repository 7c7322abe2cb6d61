import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, md, type NotebookProgram, openNotebooks, openOn, type Pad } from './notebook-program.ts';

/** Resolves with the URIs that were announced so far, in order. */
function watchUpdates(program: NotebookProgram): readonly string[] {
  const uris: string[] = [];
  program.client.setNotificationHandler('notifications/resources/updated', ({ params }) => void uris.push(params.uri));
  return uris;
}

const soon = { timeout: 120_000, interval: 20 };

describe.each(engines)('scratchpads as resources, through a real client, on %s', (engine) => {
  let program: NotebookProgram;
  let updates: readonly string[];
  const textOf = async (uri: string): Promise<{ readonly mimeType?: string; readonly text: string }> => {
    const { contents } = await program.client.readResource({ uri });
    expect(contents).toHaveLength(1);
    return contents[0] as { readonly mimeType?: string; readonly text: string };
  };

  beforeAll(async () => {
    program = await openOn(engine);
    updates = watchUpdates(program);
    for (const scratch_id of ['alpha', 'alpine', 'beta']) {
      await program.call('scratch_create', {
        scratch_id,
        metadata: { title: `Title of ${scratch_id}`, description: 'd' },
        cells: [md('# One', { cell_id: 'one' }), { cell_id: 'two', language: 'json', content: '{"a":1}' }],
      });
    }
  });
  afterAll(() => program.close());

  it('are listed by pad', async () => {
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await program.client.listResources(cursor === undefined ? {} : { cursor });
      uris.push(...page.resources.map(({ uri }) => uri));
      const alpha = page.resources.find(({ uri }) => uri === 'scratchpad://alpha');
      if (alpha !== undefined) {
        expect(alpha).toMatchObject({ title: 'Title of alpha', description: 'd', mimeType: 'application/json' });
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(uris).toEqual(expect.arrayContaining(['scratchpad://alpha', 'scratchpad://alpine', 'scratchpad://beta']));
    const { resourceTemplates } = await program.client.listResourceTemplates();
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(templates).toEqual(
      expect.arrayContaining(['scratchpad://{scratch_id}', 'scratchpad://{scratch_id}/{cell_id}']),
    );
  });

  it('are read as a whole, and by cell as plain text', async () => {
    const pad = await textOf('scratchpad://alpha');
    expect(pad.mimeType).toBe('application/json');
    expect(JSON.parse(pad.text) as Pad).toEqual(await program.read('alpha'));
    expect(await textOf('scratchpad://alpha/one')).toMatchObject({ mimeType: 'text/markdown', text: '# One' });
    expect(await textOf('scratchpad://alpha/two')).toMatchObject({ mimeType: 'application/json', text: '{"a":1}' });
  });

  it.each(['missing', 'alpha/nine', 'missing/one', 'schemas/person', '..%2Falpha', 'alpha/one/two'])(
    'scratchpad://%s is not found',
    async (rest) => {
      await expect(program.client.readResource({ uri: `scratchpad://${rest}` })).rejects.toThrow('not found');
    },
  );

  it('complete the ids of pads, also in the URI of a cell', async () => {
    const complete = async (uri: string, value: string): Promise<readonly string[]> => {
      const argument = { name: 'scratch_id', value };
      return (await program.client.complete({ ref: { type: 'ref/resource', uri }, argument })).completion.values;
    };
    for (const uri of ['scratchpad://{scratch_id}', 'scratchpad://{scratch_id}/{cell_id}']) {
      expect(await complete(uri, 'al')).toEqual(['alpha', 'alpine']);
      expect(await complete(uri, 'zz')).toEqual([]);
    }
  });

  it('complete the cells of the chosen pad', async () => {
    const ref = { type: 'ref/resource', uri: 'scratchpad://{scratch_id}/{cell_id}' } as const;
    const complete = async (value: string, chosen: Readonly<Record<string, string>> | undefined) => {
      const argument = { name: 'cell_id', value };
      const context = chosen === undefined ? {} : { context: { arguments: chosen } };
      return (await program.client.complete({ ref, argument, ...context })).completion.values;
    };
    expect(await complete('', { scratch_id: 'alpha' })).toEqual(['one', 'two']);
    expect(await complete('t', { scratch_id: 'alpha' })).toEqual(['two']);
    expect(await complete('', { scratch_id: 'missing' })).toEqual([]);
    expect(await complete('', {})).toEqual([]);
    expect(await complete('', undefined)).toEqual([]);
  });

  it('announce a change of a pad and a cell to subscribers, and nothing else', async () => {
    const from = updates.length;
    await program.client.subscribeResource({ uri: 'scratchpad://alpha' });
    await program.client.subscribeResource({ uri: 'scratchpad://alpine/one' });
    await program.call('scratch_append_cell', { scratch_id: 'beta', cell: md('x') });
    await program.call('scratch_append_cell', { scratch_id: 'alpha', cell: md('x') });
    await expect.poll(() => updates.slice(from), soon).toEqual(['scratchpad://alpha']);
    await program.call('scratch_replace_cell', { scratch_id: 'alpine', cell_id: 'one', cell: md('y') });
    await expect.poll(() => updates.slice(from), soon).toEqual(['scratchpad://alpha', 'scratchpad://alpine/one']);
    await program.call('scratch_delete', { scratch_id: 'alpha' });
    await expect.poll(() => updates.slice(from + 2), soon).toEqual(['scratchpad://alpha']);
    await program.client.unsubscribeResource({ uri: 'scratchpad://alpha' });
    await program.call('scratch_create', { scratch_id: 'alpha' });
    await program.call('scratch_replace_cell', { scratch_id: 'alpine', cell_id: 'one', cell: md('z') });
    await expect.poll(() => updates.slice(from + 3), soon).toEqual(['scratchpad://alpine/one']);
  });

  it('announce changes by another process', async () => {
    const { FOURFOLD_HOME, FOURFOLD_DATABASE_URL } = program.env;
    const other = await openNotebooks({
      FOURFOLD_HOME: FOURFOLD_HOME!,
      ...(FOURFOLD_DATABASE_URL === undefined ? {} : { FOURFOLD_DATABASE_URL }),
    });
    const from = updates.length;
    await program.client.subscribeResource({ uri: 'scratchpad://beta' });
    await other.call('scratch_append_cell', { scratch_id: 'beta', cell: md('from the other') });
    await expect.poll(() => updates.slice(from), soon).toEqual(['scratchpad://beta']);
    expect(JSON.parse((await textOf('scratchpad://beta')).text)).toEqual(await other.read('beta'));
    await other.close();
  });
});
