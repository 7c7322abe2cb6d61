import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createZip } from '#domains/knowledge/ingest/sources/zip.fixture.ts';
import { makeFolder, programFile, runProgram, serveProgram } from '#tests/support/program.ts';
import { type Json, type KnowledgeProgram, openKnowledge } from './knowledge-program.ts';

interface Found {
  readonly results: readonly { readonly id: string; readonly library?: string; readonly breadcrumb: string }[];
}

interface Taken {
  readonly pages: number;
  readonly added: number;
  readonly unchanged: number;
}

function write(folder: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** A project with its own docs and a package. */
function plantProject(folder: string): void {
  write(folder, 'package.json', '{"name": "ocean", "version": "2.0.0"}');
  write(folder, 'docs/guide.md', '# Guide\n\n## Walrus hooks\n\nA walrus sings in `app.use`.\n');
  write(folder, 'docs/api.html', '<nav>no</nav><main><h1>API</h1><h2 id="sing">sing()</h2><p>Makes a noise.</main>');
  write(folder, 'node_modules/whale/package.json', '{"name": "whale", "version": "3.2.1"}');
  write(folder, 'node_modules/whale/README.md', '# whale\n\nA gramophone for whales.\n');
  write(folder, 'node_modules/whale/index.d.ts', '/** Plays it. */\nexport declare function play(): void;\n');
}

describe('knowledge_ingest', () => {
  let program: KnowledgeProgram;
  beforeEach(async () => {
    program = await openKnowledge();
    plantProject(program.folder);
  });
  afterEach(() => program.close());

  const found = async (query: string, library?: string): Promise<readonly string[]> => {
    const asked = { query, version: 'all', ...(library === undefined ? {} : { library }) };
    const { results } = await program.call<Found>('search_docs', asked);
    return results.filter((hit) => hit.library !== undefined).map(({ id }) => id);
  };

  it('ingests the docs of a project and its packages, and search_docs finds them by library and version', async () => {
    expect(await program.call('knowledge_ingest', { source: 'docs' })).toEqual({
      ...{ library: 'ocean', version: '2.0.0', source: 'docs', source_kind: 'folder' },
      ...{ added: 2, changed: 0, removed: 0, unchanged: 0, pages: 2, sections: 2, skipped: [], skipped_count: 0 },
    });
    expect(await program.call('knowledge_ingest', { source: 'whale' })).toMatchObject({
      ...{ library: 'whale', version: '3.2.1', source: 'npm:whale', source_kind: 'package', pages: 2 },
    });
    expect(await found('walrus')).toEqual(['ocean@2.0.0/guide.md#walrus-hooks']);
    expect(await found('noise', 'ocean@2.0.0')).toEqual(['ocean@2.0.0/api.html#sing']);
    expect(await found('gramophone', 'whale')).toEqual(['whale@3.2.1/README.md#whale']);
    expect(await found('plays', 'whale@3.2.1')).toEqual(['whale@3.2.1/index.d.ts#play']);
    const listed = await program.call<{ libraries: readonly Json[] }>('knowledge_list');
    expect(listed.libraries.map(({ library }) => library)).toEqual(['ocean', 'whale']);
    expect(await program.call('knowledge_remove', { library: 'ocean' })).toEqual({
      library: 'ocean',
      removed: [{ library: 'ocean', version: '2.0.0', pages: 2, sections: 2 }],
    });
    expect(await found('walrus')).toEqual([]);
    expect(await program.fail('knowledge_remove', { library: 'ocean' })).toMatch(/^Error: Not found: ocean/);
  });

  it('[KN28] search_docs names a package of the project that has no docs here, until it is ingested', async () => {
    const dependencies = { whale: '^3', next: '^15', '@feathersjs/authentication': '^5' };
    write(program.folder, 'package.json', JSON.stringify({ name: 'ocean', version: '2.0.0', dependencies }));
    const hintFor = async (query: string) => (await program.call<{ hint?: string }>('search_docs', { query })).hint;
    const hint = await hintFor('whale play hooks');
    expect(hint).toMatch(/^No docs of whale are stored: knowledge_ingest \{"source":"npm:whale"\} ingests them\.$/);
    for (const query of ['shark hooks', 'whales', 'next page of a query', 'authentication'])
      expect((await hintFor(query)) ?? '', query).not.toContain('are stored');
    expect(await hintFor('next 15 hooks')).toContain('"npm:next"');
    const [, call = ''] = /knowledge_ingest (\{.*\})/.exec(hint ?? '') ?? [];
    await program.call('knowledge_ingest', JSON.parse(call) as Json);
    expect((await hintFor('whale play hooks')) ?? '').not.toContain('are stored');
  });

  it('reports progress', async () => {
    for (let i = 0; i < 60; i += 1) write(program.folder, `many/p${i}.md`, `# Page ${i}\n\nText.\n`);
    const steps: number[] = [];
    // Checked on the wire: the client drops a report that arrives together with the answer.
    const { transport } = program.client;
    const receive = transport!.onmessage;
    transport!.onmessage = (message, extra) => {
      if ('method' in message && message.method === 'notifications/progress') {
        const { progress, total } = message.params as { readonly progress: number; readonly total: number };
        steps.push(progress / total);
      }
      receive?.(message, extra);
    };
    await program.client.callTool(
      { name: 'knowledge_ingest', arguments: { source: 'many', library: 'many' } },
      { onprogress() {} },
    );
    expect(steps.length).toBeGreaterThan(1);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(1);
  });

  it('rejects sources that it must not or cannot read, in one line, and writes nothing', async () => {
    const { folder } = program;
    symlinkSync('/etc', join(folder, 'out'));
    mkdirSync(join(folder, 'loop'));
    symlinkSync('..', join(folder, 'loop', 'again'));
    write(folder, 'huge/huge.md', '');
    truncateSync(join(folder, 'huge', 'huge.md'), 100 * 1024 * 1024);
    write(folder, 'broken/a.md', Buffer.from([0xff, 0xfe, 0xff]));
    write(folder, 'bomb.zip', createZip([{ name: 'a.md', content: Buffer.alloc(3 * 1024 * 1024) }]));
    write(folder, 'escape.zip', createZip([{ name: '../../a.md', content: '# a\n\nb' }]));
    const refusals: readonly (readonly [Json, RegExp])[] = [
      [{ source: '/etc' }, /^Error: No readable file/],
      [{ source: 'out' }, /^Error: No readable folder or file and no package in node_modules is named out/],
      [{ source: 'home' }, /^Error: No readable folder or file and no package in node_modules is named home/],
      [{ source: 'loop' }, /^Error: No readable docs found/],
      [{ source: 'huge' }, /huge\.md: it has more than \d+ bytes/],
      [{ source: 'broken' }, /a\.md: it is not UTF-8/],
      [{ source: 'bomb.zip' }, /^Error: The archive is rejected/],
      [{ source: 'escape.zip' }, /leaves the archive/],
      [{ source: 'nowhere' }, /^Error: No readable folder or file and no package in node_modules is named nowhere/],
      [{}, /^Error: Give either source or pages/],
      [{ source: 'docs', pages: [] }, /^Error: /],
      [{ source: 'docs', library: '__proto__/..' }, /^Error: /],
      [{ source: 'docs', limit: 1 }, /^Error: /],
    ];
    for (const [args, says] of refusals) {
      const line = await program.fail('knowledge_ingest', args);
      expect(line, JSON.stringify(args)).toMatch(says);
      expect(line).not.toContain('\n');
    }
    expect(await program.call('knowledge_list')).toEqual({ libraries: [] });
  });
});

describe('fourfold knowledge', () => {
  it('adds, lists, removes and restores libraries on the command line, from any folder', async () => {
    const { folder, remove } = makeFolder();
    const env = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error', FOURFOLD_EMBEDDING_MODEL: 'debug' };
    const run = async (...words: readonly string[]): Promise<{ readonly code: number; readonly value: Json }> => {
      const cwd = join(folder, 'ocean', 'docs');
      const { code, stdout, stderr } = await runProgram([...words, '--json'], env, '', cwd);
      return { code, value: JSON.parse(stdout === '' ? stderr : stdout) as Json };
    };
    try {
      plantProject(join(folder, 'ocean'));
      write(folder, 'elsewhere/llms.txt', '# Elsewhere\n\n- [A](a.md)\n');
      write(folder, 'elsewhere/a.md', 'A zeppelin.\n');
      const dry = await run('knowledge', 'add', '.', '--dry-run');
      expect(dry.value).toMatchObject({ libraries: [{ library: 'ocean', added: 2, dry_run: true }] });
      write(folder, 'ocean/docs/.gitignore', '/drafts/\n');
      write(folder, 'ocean/docs/drafts/later.md', '# Later\n\nA draft.\n');
      for (const [flag, added] of [
        ['--ignore', 2],
        ['--no-ignore', 3],
      ] as const) {
        const answer = await run('knowledge', 'add', '.', '--dry-run', flag);
        expect(answer.value, flag).toMatchObject({ libraries: [{ added }] });
      }
      expect((await run('knowledge', 'list')).value).toEqual({ libraries: [] });
      const added = await run('knowledge', 'add', '.', 'whale', join(folder, 'elsewhere', 'llms.txt'));
      expect(added).toMatchObject({
        code: 0,
        value: { libraries: [{ library: 'ocean' }, { library: 'whale', version: '3.2.1' }, { library: 'elsewhere' }] },
      });
      const versioned = await run('knowledge', 'add', '.', '--library', 'sea', '--version', '9.0.0-beta');
      expect(versioned.value).toMatchObject({ libraries: [{ library: 'sea', version: '9.0.0-beta', added: 2 }] });
      const hits = (await run('search', 'docs', 'zeppelin', '--library', 'elsewhere')).value as unknown as Found;
      expect(hits.results.map(({ id }) => id)).toEqual(['elsewhere@latest/a.md#top']);
      expect((await run('knowledge', 'remove', 'sea', '--version', '9.0.0-beta')).code).toBe(0);
      expect((await run('knowledge', 'restore', 'sea', '9.0.0-beta')).value).toMatchObject({
        pages: 2,
        complete: true,
      });
      const bad = await run('knowledge', 'add', join(folder, 'nothing'));
      expect(bad.code).not.toBe(0);
      expect(JSON.stringify(bad.value)).toContain('NOT_FOUND');
      const readOnly = await run('knowledge', 'add', '.', '--read-only');
      expect(readOnly.code).not.toBe(0);
      expect(JSON.stringify(readOnly.value)).toContain('READ_ONLY');
      const two = await run('knowledge', 'add', '.', 'whale', '--library', 'x');
      expect(JSON.stringify(two.value)).toContain('a single source');
    } finally {
      remove();
    }
  });

  it('lets an HTTP client give pages, but no folder', async () => {
    const { folder, remove } = makeFolder();
    const env = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error', FOURFOLD_EMBEDDING_MODEL: 'debug' };
    const served = await serveProgram(env);
    const post = async (name: string, args: Json): Promise<{ readonly status: number; readonly text: string }> => {
      const answer = await fetch(`${new URL(served.url).origin}/api/tools/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(args),
      });
      return { status: answer.status, text: await answer.text() };
    };
    try {
      expect((await post('knowledge_ingest', { source: folder })).status).toBe(403);
      const pages = [{ path: 'a.md', content: '# Walrus\n\nIt sings.\n' }];
      expect(await post('knowledge_ingest', { library: 'sea', version: '1', pages })).toMatchObject({ status: 200 });
      expect((await post('search_docs', { query: 'walrus', library: 'sea' })).text).toContain('sea@1/a.md#walrus');
    } finally {
      await served.stop();
      remove();
    }
  });

  it('leaves whole pages when it is killed, and the next run completes them', async () => {
    const { folder, remove } = makeFolder();
    const env = {
      FOURFOLD_HOME: join(folder, 'home'),
      FOURFOLD_FILE_ROOTS: folder,
      FOURFOLD_LOG_LEVEL: 'error',
      FOURFOLD_EMBEDDING_MODEL: 'debug',
    };
    try {
      for (let i = 0; i < 1_000; i += 1) {
        write(folder, `many/p${i}.md`, `# Page ${i}\n\nWalrus number${i}.\n\n## More\n\nText of ${i}.\n`);
      }
      const transport = new StdioClientTransport({ command: process.execPath, args: [programFile], cwd: folder, env });
      const client = new Client({ name: 'tester', version: '1' });
      await client.connect(transport);
      const call = client.callTool(
        { name: 'knowledge_ingest', arguments: { source: 'many', library: 'many', version: '1' } },
        {
          onprogress({ progress }) {
            if (progress >= 500 && transport.pid !== null) process.kill(transport.pid, 'SIGKILL');
          },
        },
      );
      await expect(call).rejects.toThrow('closed');
      await client.close();
      const run = async (...words: readonly string[]) =>
        JSON.parse((await runProgram([...words, '--json'], env, '', folder)).stdout) as {
          readonly libraries: readonly (Taken & { readonly complete?: boolean; readonly sections: number })[];
        };
      const [left] = (await run('knowledge', 'list')).libraries;
      expect(left).toMatchObject({ complete: false, sections: 2 * left!.pages });
      const [taken] = (await run('knowledge', 'add', 'many', '--library', 'many', '--version', '1')).libraries;
      expect(taken).toMatchObject({
        pages: 1_000,
        sections: 2_000,
        unchanged: left!.pages,
        added: 1_000 - left!.pages,
      });
      for (const number of [0, 499, 999]) {
        const { stdout } = await runProgram(['search', 'docs', `number${number}`, '--library', 'many', '--json'], env);
        expect(stdout).toContain(`many@1/p${number}.md#page-${number}`);
      }
      expect((await run('knowledge', 'list')).libraries).toMatchObject([{ complete: true }]);
    } finally {
      remove();
    }
  });
});
