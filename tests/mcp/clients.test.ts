import { afterEach, describe, expect, test } from 'vitest';
import { type Connected, connect, ways } from './support/clients.ts';
import { sampleCatalogs } from './support/sample-catalogs.ts';

let open: Connected | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

describe.each(ways)('the real client over %s', (way) => {
  const connected = async (...args: Parameters<typeof connect> extends [unknown, ...infer Rest] ? Rest : never) => {
    open = await connect(way, ...args);
    return open;
  };

  test("learns the server's identity and tools", async () => {
    const { client } = await connected();
    expect(client.getServerVersion()).toMatchObject({ name: 'sample', title: 'Sample', version: '1.2.3' });
    expect(client.getInstructions()).toBe('Use the sample tools.');
    expect(client.getServerCapabilities()).toEqual({ tools: {}, logging: {} });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'sample_noop',
      'sample_echo_all',
      'sample_fail',
      'sample_write',
      'tools_call',
    ]);
  });

  test('calls tools, and its own check of their output schema passes', async () => {
    const { client } = await connected();
    await client.listTools();
    const { structuredContent } = await client.callTool({
      name: 'sample_echo_all',
      arguments: { text: '☃', count: 3 },
    });
    expect(structuredContent).toEqual({ given: { text: '☃', count: 3 } });
    expect((await client.callTool({ name: 'sample_fail', arguments: { how: 'fault' } })).isError).toBe(true);
  });

  test('receives progress and its answer', async () => {
    const { client, letGo } = await connected();
    const steps: number[] = [];
    letGo();
    const result = await client.callTool(
      { name: 'sample_slow' },
      { onprogress: ({ progress }) => void steps.push(progress) },
    );
    expect(result.structuredContent).toEqual({ finished: true });
    expect(steps).toEqual([1, 2, 3]);
  });

  test.each(['sample_wait', 'sample_slow'])('cancels %s, and the work stops', async (name) => {
    const { client, sample, whenBegun } = await connected();
    const controller = new AbortController();
    const begun = whenBegun();
    const called = client.callTool({ name }, { signal: controller.signal });
    await begun;
    controller.abort();
    await expect(called).rejects.toThrow(/abort/i);
    await client.callTool({ name: 'sample_noop' });
    await expect.poll(() => sample.stoppedCount).toBe(1);
  });

  test('reads resources through their tools, page by page', async () => {
    const { client } = await connected(sampleCatalogs);
    for (const id of ['a', 'b', 'c'])
      await client.callTool({ name: 'sample_write', arguments: { id, text: `text of ${id}` } });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['note://a', 'note://b', 'note://c', 'skill://tidy-up/SKILL.md']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'note://{id}',
      'picture://{name}',
      'skill://{+path}',
    ]);
    expect((await client.readResource({ uri: 'note://b' })).contents).toEqual([
      { uri: 'note://b', mimeType: 'text/plain', text: 'text of b' },
    ]);
    expect((await client.readResource({ uri: 'picture://x' })).contents).toEqual([
      { uri: 'picture://x', mimeType: 'image/png', blob: 'AAAA' },
    ]);
  });

  test('gets distinct errors for a missing resource, a fault and a bug', async () => {
    const { client, log } = await connected(sampleCatalogs);
    for (const uri of ['note://nothing', 'unknown://x', 'skill://tidy-up/none.md']) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
    }
    await expect(client.readResource({ uri: 'picture://refused' })).rejects.toThrow('No luck');
    await expect(client.readResource({ uri: 'picture://broken' })).rejects.toThrow(/^Internal error \(id\d+\)$/);
    expect(log.lines.some(({ fields }) => fields['err'] instanceof TypeError)).toBe(true);
  });

  test('lists and gets prompts, and completes arguments', async () => {
    const { client } = await connected(sampleCatalogs);
    await client.callTool({ name: 'sample_write', arguments: { id: 'x', text: 'from a note' } });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['greet', 'note-x']);
    const greeting = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
    expect(greeting.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Greet Ada.' } }]);
    expect((await client.getPrompt({ name: 'note-x' })).messages[0]?.content).toMatchObject({ text: 'from a note' });
    await expect(client.getPrompt({ name: 'none' })).rejects.toMatchObject({ code: -32602 });
    const completed = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'A' },
    });
    expect(completed.completion).toMatchObject({ values: ['Ada', 'Alan'], total: 2, hasMore: false });
    const uris = await client.complete({
      ref: { type: 'ref/resource', uri: 'note://{id}' },
      argument: { name: 'id', value: '' },
    });
    expect(uris.completion.values).toEqual(['x']);
  });

  test('finds skills; an invalid one is omitted and logged', async () => {
    const { client, log } = await connected(sampleCatalogs);
    expect(client.getServerCapabilities()?.extensions).toEqual({ 'io.modelcontextprotocol/skills': {} });
    const any = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) => ({ value: value as Record<string, never> }),
      },
    } as const;
    const listed = (await client.request({ method: 'skills/list', params: {} }, any)) as { skills: { uri: string }[] };
    expect(listed.skills.map(({ uri }) => uri)).toEqual(['skill://tidy-up/SKILL.md']);
    const uri = 'skill://tidy-up/SKILL.md';
    const got = (await client.request({ method: 'skills/get', params: { uri } }, any)) as { skill: object };
    expect(got.skill).toMatchObject({ frontmatter: { name: 'tidy-up', description: 'How to tidy up.' } });
    await expect(
      client.request({ method: 'skills/get', params: { uri: 'skill://none/SKILL.md' } }, any),
    ).rejects.toMatchObject({ code: -32602 });
    expect((await client.readResource({ uri: 'skill://tidy-up/more/list.txt' })).contents).toMatchObject([
      { text: 'list' },
    ]);
    expect(log.lines.some(({ fields }) => fields['skill'] === 'broken')).toBe(true);
  });
});
