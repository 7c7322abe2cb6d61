import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listUris } from '#tests/support/list-uris.ts';
import { type CatalogProgram, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { entryFiles, entryInput } from './entries.fixture.ts';

const files = {
  ...entryFiles,
  'ask_me.json': entryInput('ask_me', {
    title: 'Ask me',
    body: 'Review {{change}} with {{focus}}. Leave {{other}} alone.',
    arguments: [{ name: 'change', description: 'What', required: true }, { name: 'focus' }],
  }),
  'proposed.json': entryInput('proposed', { status: 'draft', arguments: [{ name: 'x' }] }),
};

describe('instructions as resources, prompts and skills, with a real client', () => {
  let program: CatalogProgram;
  const skills = async (): Promise<readonly { uri: string; frontmatter: { name: string; description: string } }[]> => {
    const { result } = await program.plain('skills/list', {});
    return (result?.['skills'] ?? []) as readonly {
      uri: string;
      frontmatter: { name: string; description: string };
    }[];
  };

  beforeAll(async () => {
    program = await openCatalog(mutationOn, files);
  });
  afterAll(() => program.close());

  it('[IN43] lists only approved entries and reads one with its front matter', async () => {
    const uris = await listUris(program.client);
    expect(uris).toEqual(expect.arrayContaining(['instruction://alpha', 'instruction://ask_me']));
    expect(uris).not.toContain('instruction://proposed');
    const { contents } = await program.client.readResource({ uri: 'instruction://alpha' });
    expect(contents[0]).toMatchObject({ uri: 'instruction://alpha', mimeType: 'text/markdown' });
    const text = String((contents[0] as { text?: string }).text);
    expect(text).toMatch(/^---\nid: "alpha"\n/);
    expect(text).toContain('Always rotate the deployment keys.');
    await expect(program.client.readResource({ uri: 'instruction://proposed' })).rejects.toThrow('not found');
    await expect(program.client.readResource({ uri: 'instruction://..%2Fescape' })).rejects.toThrow('not found');
  });

  it('completes ids', async () => {
    const { completion } = await program.client.complete({
      ref: { type: 'ref/resource', uri: 'instruction://{id}' },
      argument: { name: 'id', value: 'a' },
    });
    expect(completion.values).toEqual(['alpha', 'ask_me']);
  });

  it('serves an approved entry with arguments as a prompt, but not a draft', async () => {
    const { prompts } = await program.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['start_task', 'ask_me']);
    expect(prompts[1]?.arguments).toEqual([{ name: 'change', description: 'What', required: true }, { name: 'focus' }]);
    const { messages } = await program.client.getPrompt({
      name: 'ask_me',
      arguments: { change: '{{focus}} #7', focus: 'care' },
    });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Review {{focus}} #7 with care. Leave {{other}} alone.' } },
    ]);
    await expect(program.client.getPrompt({ name: 'ask_me', arguments: {} })).rejects.toThrow('change');
    await expect(program.client.getPrompt({ name: 'proposed', arguments: {} })).rejects.toThrow('unknown prompt');
  });

  it('serves valid skills, also for ids that are not skill names', async () => {
    const list = await skills();
    const names = list.map(({ frontmatter }) => frontmatter.name);
    expect(names).toEqual(expect.arrayContaining(['alpha', 'ask-me', 'beta', 'gamma']));
    expect(names).not.toContain('proposed');
    const uri = list.find(({ frontmatter }) => frontmatter.name === 'ask-me')?.uri ?? '';
    const { contents } = await program.client.readResource({ uri });
    expect(String((contents[0] as { text?: string }).text)).toContain('name: "ask-me"');
  });

  it('[IN43] notifies subscribers when a tool changes the entry', async () => {
    const updated = new Promise<string>((resolve) => {
      program.client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    });
    await program.client.subscribeResource({ uri: 'instruction://beta' });
    await program.value('plain method', 'instructions/add', {
      entry: entryInput('beta', { body: 'Changed.' }),
      overwrite: true,
    });
    expect(await updated).toBe('instruction://beta');
  });
});
