import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listUris } from '#tests/support/list-uris.ts';
import { makeFolder } from '#tests/support/program.ts';
import { type KnowledgeProgram, openKnowledge } from './knowledge-program.ts';

interface Read {
  readonly id?: string;
  readonly library: string;
  readonly version: string;
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

const template = 'doc://{library}/{version}/{+path}';

describe('reading docs', () => {
  const own = makeFolder();
  let program: KnowledgeProgram;
  beforeAll(async () => {
    mkdirSync(join(own.folder, 'docs'), { recursive: true });
    const entry = {
      id: 'house#rules',
      title: 'House rules',
      version: 'v5',
      category: 'rules',
      content: 'Knock zweimal.',
    };
    writeFileSync(join(own.folder, 'docs/house.json'), JSON.stringify([entry]));
    writeFileSync(join(own.folder, 'docs/broken.json'), '{');
    program = await openKnowledge({ FOURFOLD_KNOWLEDGE_DIRS: own.folder });
    await program.call('knowledge_ingest', {
      library: '@acme/kit',
      version: '2.1.0',
      pages: [{ path: 'guides/start.md', content: '# Start\n\n## Install\n\nRun the kwyjibo installer.\n' }],
    });
  });
  afterAll(async () => {
    await program.close();
    own.remove();
  });
  const complete = async (name: string, value: string, chosen: Readonly<Record<string, string>> = {}) =>
    (
      await program.client.complete({
        ref: { type: 'ref/resource', uri: template },
        argument: { name, value },
        context: { arguments: chosen },
      })
    ).completion.values;
  const textOf = async (uri: string) => {
    const { contents } = await program.client.readResource({ uri });
    return contents[0] as { readonly mimeType?: string; readonly text: string };
  };

  it("[KN8] includes the user's folders and ignores a broken file", async () => {
    const { results } = await program.call<{ results: readonly { id: string }[] }>('search_docs', { query: 'zweimal' });
    expect(results.map(({ id }) => id)).toEqual(['house#rules']);
  });

  it('returns the library of a hit and reads the whole section by its id', async () => {
    const { results } = await program.call<{ results: readonly { id: string; library: string; version: string }[] }>(
      'search_docs',
      { query: 'kwyjibo' },
    );
    expect(results).toMatchObject([{ library: '@acme/kit', version: '2.1.0' }]);
    const read = await program.call<Read>('knowledge_read', { id: results[0]!.id });
    expect(read).toMatchObject({ id: results[0]!.id, library: '@acme/kit', version: '2.1.0', path: 'guides/start.md' });
    expect(read.text).toContain('kwyjibo');
    const hooks = await program.call<{ results: readonly { id: string }[] }>('search_docs', { query: 'around hooks' });
    expect((await program.call<Read>('knowledge_read', { id: hooks.results[0]!.id })).title).toBe('Around hooks');
    expect(await program.fail('knowledge_read', { id: 'v5/none#x' })).toBe('Error: Not found: section v5/none#x');
  });

  it('lists pages of the base as resources and offers a template for libraries', async () => {
    const { resourceTemplates } = await program.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(template);
    const uris = await listUris(program.client);
    expect(uris).toEqual(expect.arrayContaining(['doc://feathers/v5/hooks', 'doc://feathers/v4/hooks']));
    const hooks = await textOf('doc://feathers/v5/hooks');
    expect(hooks.mimeType).toBe('text/markdown');
    expect(hooks.text).toMatch(/^# Hooks\n[\s\S]*\n## Around hooks\n/);
    expect((await textOf('doc://%40acme%2Fkit/2.1.0/guides/start.md')).text).toContain('kwyjibo');
  });

  it.each(['feathers/v5/none', 'feathers/v9/hooks', 'none/1/x', '%40acme%2Fkit/2.1.0/..%2F..%2Fsecret', 'feathers/v5'])(
    'rejects doc://%s',
    async (rest) => {
      await expect(program.client.readResource({ uri: `doc://${rest}` })).rejects.toThrow('not found');
    },
  );

  it('completes library, version and path', async () => {
    expect(await complete('library', '')).toEqual(['feathers', '@acme/kit']);
    expect(await complete('library', '@a')).toEqual(['@acme/kit']);
    expect(await complete('version', '', { library: 'feathers' })).toEqual(
      expect.arrayContaining(['v4', 'v5', 'both']),
    );
    expect(await complete('version', '2', { library: '@acme/kit' })).toEqual(['2.1.0']);
    expect(await complete('path', 'hoo', { library: 'feathers', version: 'v5' })).toEqual(['hooks']);
    expect(await complete('path', 'g', { library: '@acme/kit', version: '2.1.0' })).toEqual(['guides/start.md']);
    expect(await complete('path', 'x', { library: '@acme/kit' })).toEqual([]);
  });
});
