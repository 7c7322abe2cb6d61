import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { type Json, openNotebooks } from '../notebooks/notebook-program.ts';

const samples = fileURLToPath(new URL('../../fixtures/other-memories', import.meta.url));

interface Counts {
  readonly new: number;
  readonly changed: number;
  readonly known: number;
}

interface Imported {
  readonly facts: Counts;
  readonly scratchpads: Counts;
  readonly cells: number;
  readonly leftOut: Readonly<Record<string, number>>;
  readonly skipped: readonly { readonly source: string; readonly reason: string }[];
  readonly errors: readonly { readonly source: string; readonly code: string }[];
}

interface Pad {
  readonly scratchpad: {
    readonly title: string;
    readonly namespace: string;
    readonly cells: readonly {
      readonly cell_id: string;
      readonly content: string;
      readonly metadata: Readonly<Record<string, string>>;
    }[];
  };
}

async function openHome(engine: 'SQLite' | 'PostgreSQL' = 'SQLite') {
  const { folder, remove } = makeFolder();
  const database = engine === 'PostgreSQL' ? await createTestDatabase() : undefined;
  let opened: ReturnType<typeof openNotebooks> | undefined;
  onTestFinished(async () => {
    await (await opened)?.end();
    await database?.drop();
    remove();
  });
  cpSync(samples, folder, { recursive: true });
  const env = {
    FOURFOLD_HOME: join(folder, 'home'),
    FOURFOLD_LOG_LEVEL: 'error',
    ...(database !== undefined && { FOURFOLD_DATABASE_URL: database.url }),
  };
  const run = (...words: readonly string[]) => runProgram([...words, '--json'], env, '', folder);
  return {
    folder,
    run,
    /** Through a client of a program that runs for the whole test. */
    async call<T = unknown>(name: string, args: Json): Promise<T> {
      opened ??= openNotebooks(env);
      const answer = await (await opened).client.callTool({ name, arguments: { ...args } });
      if (answer.isError === true) throw new Error(`${name} failed: ${JSON.stringify(answer.content)}`);
      return answer.structuredContent as T;
    },
    async ask<T>(...words: readonly string[]): Promise<T> {
      const { code, stdout, stderr } = await run(...words);
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
      return JSON.parse(stdout) as T;
    },
  };
}
type Home = Awaited<ReturnType<typeof openHome>>;

const none: Counts = { new: 0, changed: 0, known: 0 };
const moveIn = ({ ask }: Home, from: string, path: string, ...more: readonly string[]) =>
  ask<Imported>('import', path, '--from', from, ...more);
const readPad = ({ call }: Home, scratch_id: string) => call<Pad>('scratch_read', { scratch_id });

describe.each(['SQLite', 'PostgreSQL'] as const)('[IG1] moving in from another memory, with %s', (engine) => {
  it('server-memory: a dry run counts, the import stores facts with their source, and a repetition adds nothing', async () => {
    const home = await openHome(engine);
    const skipped = [{ source: 'memory.jsonl:6', reason: 'no entity is called Nobody' }];
    const planned = await moveIn(home, 'server-memory', 'memory.jsonl', '--dry-run');
    expect(planned).toMatchObject({ facts: { new: 5, changed: 0, known: 0 }, scratchpads: none, skipped, errors: [] });
    const before = await home.call<{ total: number }>('retrieve_entities', {});
    expect(before.total).toBe(0);

    expect((await moveIn(home, 'server-memory', 'memory.jsonl')).facts).toEqual(planned.facts);
    const found = await home.call<{ entities: readonly { entity_id: string }[] }>('retrieve_entities', {
      query: 'who leads the platform team',
      limit: 1,
    });
    const { entity_id } = found.entities[0]!;
    const { snapshot } = await home.call<{ snapshot: object }>('get_entity_snapshot', { entity_id });
    expect(snapshot).toMatchObject({
      name: 'Maria Keller',
      observations: ['Leads the platform team', 'Prefers short meetings'],
    });
    const { relationships } = await home.call<{ relationships: readonly { relationship_type: string }[] }>(
      'get_related_entities',
      { entity_id },
    );
    expect(relationships.map(({ relationship_type }) => relationship_type).sort()).toEqual(['LEADS', 'WORKS_AT']);
    const provenance = await home.call('get_field_provenance', { entity_id, field: 'observations' });
    expect(JSON.stringify(provenance)).toContain('server-memory: memory.jsonl:1');

    expect(await moveIn(home, 'server-memory', 'memory.jsonl')).toMatchObject({ facts: { ...none, known: 5 } });
    const file = join(home.folder, 'memory.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Prefers short meetings', 'Prefers no meetings'));
    expect(await moveIn(home, 'server-memory', 'memory.jsonl')).toMatchObject({
      facts: { new: 0, changed: 1, known: 4 },
    });
  });

  it('chatgpt: the shown branch becomes a scratchpad with speakers and dates, and a longer export adds the rest', async () => {
    const home = await openHome(engine);
    expect(await moveIn(home, 'chatgpt', 'chatgpt.json')).toMatchObject({
      scratchpads: { new: 1, changed: 0, known: 0 },
      cells: 3,
      leftOut: { 'messages of replaced branches': 1, 'messages of the tool role': 1, 'pictures and files': 1 },
      skipped: [{ source: 'chatgpt.json, conversation 2', reason: 'it lacks id, mapping or current_node' }],
    });
    const id = 'chatgpt-c0ffee00-1111-4222-8333-444455556666';
    const { scratchpad } = await readPad(home, id);
    expect([scratchpad.title, scratchpad.namespace]).toEqual(['Freezing tables', 'chatgpt']);
    expect(scratchpad.cells.map(({ cell_id, content, metadata }) => [cell_id, content, metadata['speaker']])).toEqual([
      ['q1', 'How do I freeze a Postgres table?', 'user'],
      ['a1', 'Use VACUUM FREEZE.', 'assistant'],
      ['q2', 'And this picture?', 'user'],
    ]);
    expect(scratchpad.cells[0]!.metadata).toMatchObject({ at: '2026-01-01T00:00:00.500Z' });

    const file = join(home.folder, 'chatgpt.json');
    const text = readFileSync(file, 'utf8').replace('"current_node": "q2"', '"current_node": "a2"');
    const [first] = JSON.parse(text) as [{ mapping: Record<string, unknown> }];
    const content = { content_type: 'text', parts: ['It shows a frozen table.'] };
    first.mapping['a2'] = { id: 'a2', parent: 'q2', message: { id: 'a2', author: { role: 'assistant' }, content } };
    writeFileSync(file, JSON.stringify([first]));
    expect(await moveIn(home, 'chatgpt', 'chatgpt.json')).toMatchObject({ scratchpads: { changed: 1 }, cells: 1 });
    expect((await readPad(home, id)).scratchpad.cells.at(-1)!.content).toBe('It shows a frozen table.');
  });
});

describe('[IG1] moving in from another memory', () => {
  it('basic-memory: notes become scratchpads, observations and relations become facts', async () => {
    const home = await openHome();
    const answer = await moveIn(home, 'basic-memory', 'basic-memory');
    expect(answer).toMatchObject({
      facts: { new: 4, changed: 0, known: 0 },
      scratchpads: { new: 2, changed: 0, known: 0 },
      skipped: [{ source: 'broken.md', reason: 'its front matter is not YAML' }],
      errors: [],
    });
    const { entities } = await home.call<{ entities: readonly { entity_id: string }[] }>('retrieve_entities', {
      query: 'Coffee brewing',
      limit: 1,
    });
    const { entity_id } = entities[0]!;
    const { snapshot } = await home.call<{ snapshot: { content: string } }>('get_entity_snapshot', { entity_id });
    expect(snapshot.content.split('\n')).toEqual([
      '[method] Pour over gives a clearer taste than a press #brewing',
      '[method] A press needs coarse grounds',
    ]);
    const related = JSON.stringify(await home.call('get_related_entities', { entity_id }));
    expect(related).toContain('maria keller');
    expect(related).not.toContain('"tea"');
    expect(await moveIn(home, 'basic-memory', 'basic-memory')).toMatchObject({ cells: 0, facts: { known: 4 } });
  });

  it('mem0: memories become notes of their user with dates and tags', async () => {
    const home = await openHome();
    expect(await moveIn(home, 'mem0', 'mem0.json')).toMatchObject({
      facts: { new: 1 },
      scratchpads: { new: 1 },
      cells: 2,
      skipped: [{ source: 'mem0.json, memory 3', reason: 'it lacks id or memory' }],
    });
    expect(JSON.stringify(await home.call('scratch_search', { query: 'tea' }))).toContain('6f1c');
  });

  it('claude and claude-code: conversations with their speakers, and a count of everything that is left out', async () => {
    const home = await openHome();
    expect(await moveIn(home, 'claude', 'claude.json', '--namespace', 'old chats')).toMatchObject({
      scratchpads: { new: 1 },
      cells: 2,
      leftOut: { 'blocks that are not text': 1, attachments: 1, 'conversations without text': 1 },
    });
    const pad = await readPad(home, 'claude-8f3a2b1c-0000-4000-8000-000000000001');
    expect(pad.scratchpad).toMatchObject({
      namespace: 'old chats',
      cells: [
        { metadata: { speaker: 'user' } },
        { metadata: { speaker: 'assistant', at: '2026-02-14T10:04:30.000Z' } },
      ],
    });
    const transcript = '3e9d1c6a-0000-4000-8000-00000000000a.jsonl';
    expect(await moveIn(home, 'claude-code', transcript)).toMatchObject({
      scratchpads: { new: 1 },
      cells: 2,
      leftOut: { 'blocks of type tool_use': 1, 'blocks of type tool_result': 1, 'messages beside the conversation': 1 },
    });
    const { scratchpad } = await readPad(home, `claude-code-${transcript.replace('.jsonl', '')}`);
    expect([scratchpad.title, scratchpad.cells[1]!.content]).toEqual([
      'Fix the flaky login test',
      'It waits for a fixed time. I will wait for the event.',
    ]);
  });

  it('[IG2] keeps what a person changed or deleted here, says so, and exits with 1', async () => {
    const home = await openHome();
    await moveIn(home, 'mem0', 'mem0.json');
    const [pad] = (await home.call<{ scratchpads: readonly { scratch_id: string }[] }>('scratch_list', {})).scratchpads;
    const id = pad!.scratch_id;
    const cell = { language: 'md', content: 'Likes coffee' };
    await home.call('scratch_replace_cell', { scratch_id: id, cell_id: '6f1c', cell });
    const file = join(home.folder, 'mem0.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('tea without sugar', 'green tea').replace('June', 'July'));
    const { code, stdout } = await home.run('import', 'mem0.json', '--from', 'mem0');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      cells: 1,
      errors: [{ source: 'mem0.json, memory 1', code: 'CONFLICT' }],
    });
    const { scratchpad } = await readPad(home, id);
    expect(scratchpad.cells.map(({ content }) => content)).toEqual(['Likes coffee', 'Plans a trip to Lisbon in July']);
    await home.call('scratch_delete', { scratch_id: id });
    writeFileSync(file, readFileSync(file, 'utf8').replace('July', 'May'));
    const again = JSON.parse((await home.run('import', 'mem0.json', '--from', 'mem0')).stdout) as Imported;
    expect([again.cells, again.errors.length]).toEqual([0, 1]);
  });

  it.each([
    [['import', 'missing.jsonl', '--from', 'server-memory'], 'NOT_FOUND'],
    [['import', 'basic-memory', '--from', 'chatgpt'], 'a file of chatgpt'],
    [['import', 'memory.jsonl', '--from', 'notepad'], 'server-memory'],
    [['import', 'memory.jsonl', '--from', 'server-memory', '--read-only'], 'READ_ONLY'],
  ])('refuses %j with a reason', async (words, why) => {
    const { run } = await openHome();
    const { code, stderr } = await run(...words);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(why)]);
  });

  it('skips files that are not what they should be', async () => {
    const home = await openHome();
    writeFileSync(join(home.folder, 'export.zip'), 'PK');
    writeFileSync(join(home.folder, 'latin.json'), Buffer.from([0x5b, 0xe4, 0x5d]));
    for (const [from, file, reason] of [
      ['chatgpt', 'export.zip', 'it is an archive: unpack it and name the folder'],
      ['claude', 'latin.json', 'it is not UTF-8'],
      ['mem0', 'memory.jsonl', 'it is not JSON'],
      ['chatgpt', 'mem0.json', 'it is not a JSON list of conversations'],
    ] as const) {
      expect(await moveIn(home, from, file)).toMatchObject({ cells: 0, skipped: [{ source: file, reason }] });
    }
    expect(await moveIn(home, 'server-memory', 'claude.json')).toMatchObject({ facts: none, cells: 0 });
  });
});
