import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allFaults } from '#app/all-faults.ts';
import { type Card, isCommandOnly } from '#kernel/tool/card.ts';
import { badCalls, readCards } from '#tests/support/bad-arguments.ts';
import { makeFolder, runProgram, type Served, serveProgram } from '#tests/support/program.ts';
import { type Json, type NotebookProgram, openNotebooks } from './notebooks/notebook-program.ts';

interface Failure {
  readonly tool: string;
  /** The mistake. */
  readonly label: string;
  readonly fix: unknown;
}

type Ask = (tool: string, args: Json) => Promise<unknown>;

const cards = readCards().filter((card) => !isCommandOnly(card));

/** The fix of an error in the form of any family; an error in a list of an answer counts too. */
function fixOf(error: Json): unknown {
  const inner = (error['error'] ?? error) as Json;
  const part = (inner['details'] ?? inner['data']) as Json | undefined;
  return part?.['fix'] ?? part?.['suggestion'];
}

function fixOfTexts([first = '', second]: readonly string[]): unknown {
  if (first.startsWith('{')) return fixOf(JSON.parse(first) as Json);
  return second?.startsWith('Fix: ') ? second.slice(5) : undefined;
}

/** Sentences of ours that fit every error, and so help with none. */
const tooGeneral = [
  'Correct the value that the message names',
  'List the existing items',
  'Read the current state',
  'schema in anyOf',
  'fourfold config shows every setting',
];

const toolNames = new Set(cards.flatMap(({ name, listedName }) => [name, listedName]));
const argumentsOf = (name: string): object => cards.find((card) => card.name === name)?.inputSchema['properties'] ?? {};

/** A tool, an argument, a value, a command or a setting. */
function namesSomething(tool: string, fix: string): boolean {
  if (
    /"[^"]+"|\/\w+|: \w+, |Example: |details\.\w+|\d|--\w+|fourfold \w+|\b[A-Z]+_[A-Z_]+\b|\b[a-z]+[A-Z]\w+/.test(fix)
  )
    return true;
  const own = argumentsOf(tool);
  return (fix.match(/[\w/]+/g) ?? []).some((word) => toolNames.has(word) || Object.hasOwn(own, word));
}

function findUseless({ tool, label, fix }: Failure): readonly string[] {
  const where = `${tool} with ${label}`;
  if (typeof fix !== 'string' || fix.length < 10) return [`${where}: no fix`];
  const general = tooGeneral.find((text) => fix.includes(text));
  if (general !== undefined) return [`${where}: too general: ${fix}`];
  return namesSomething(tool, fix) ? [] : [`${where}: names nothing: ${fix}`];
}

/** Calls that would remove what the other calls need. */
const skipped: ReadonlySet<string> = new Set(['demo/create', 'demo/remove', 'backup/create']);

async function walk(ask: Ask, isWanted: (card: Card) => boolean = () => true): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const card of cards.filter((one) => isWanted(one) && !skipped.has(one.name))) {
    for (const { label, args } of badCalls(card)) {
      const fix = await ask(card.name, args);
      if (fix !== succeeded) failures.push({ tool: card.name, label, fix });
    }
  }
  return failures;
}

const succeeded = Symbol('the call succeeded');

const overMcp =
  (client: Client): Ask =>
  async (name, args) => {
    const answer = await client.callTool({ name, arguments: { ...args } });
    if (answer.isError !== true) return succeeded;
    return fixOfTexts((answer.content as readonly { text: string }[]).map(({ text }) => text));
  };

const expectUseful = (failures: readonly Failure[], least: number): void => {
  expect(failures.length).toBeGreaterThan(least);
  expect([...new Set(failures.flatMap(findUseless))]).toEqual([]);
};

describe('over stdio', () => {
  const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'with an open mutation gate': { MCP_ENABLE_MUTATION: '1' },
    'with a shut mutation gate': {},
    'on a read-only server': { FOURFOLD_READ_ONLY: '1' },
    'with usage and search switched off': {
      INDEX_FEATURES: 'none',
      FOURFOLD_SEMANTIC_SEARCH: '0',
      MCP_ENABLE_MUTATION: '1',
    },
  };

  it.each(Object.entries(settings))(
    '%s, every error of every tool has a fix that helps',
    async (_what, env) => {
      const program = await openNotebooks(env);
      try {
        expectUseful(await walk(overMcp(program.client)), 1_000);
      } finally {
        await program.close();
      }
    },
    120_000,
  );

  it('a tool of proposals says who decides while the gate is shut', async () => {
    const program = await openNotebooks();
    try {
      const ask = overMcp(program.client);
      const args = { proposal_id: 'p-3f9a1c0b7d2e' };
      const fix = await ask('instructions/approve', args);
      expect(fix).toMatch(/admin approves it: fourfold instructions approve <proposal_id>.*dashboard/);
      expect(fix).not.toContain('instructions/propose');
      expect(await ask('instructions/reject', { ...args, reason: 'no' })).toMatch(
        /withdraw.*fourfold instructions reject/,
      );
    } finally {
      await program.close();
    }
  });
});

describe('over stdio, outside the tools', () => {
  let program: NotebookProgram;
  beforeAll(async () => {
    program = await openNotebooks();
  });
  afterAll(() => program?.close());

  it('each failed item of a remembered list has its fix', async () => {
    const answer = await program.client.callTool({
      name: 'remember',
      arguments: { items: ['the cellar key hangs on the hook', { text: 'x', kind: 'fact' }, ' '] },
    });
    const { failed } = answer.structuredContent as { failed: readonly Json[] };
    expect(failed).toMatchObject([
      { index: 1, code: 'VALIDATION_ERROR', fix: expect.stringContaining('"about"') },
      { index: 2, fix: expect.stringContaining('{"text"') },
    ]);
  });

  it('an unknown log level is an invalid parameter with the known ones', async () => {
    const asked = program.client.request({ method: 'logging/setLevel', params: { level: 'loud' } });
    await expect(asked).rejects.toMatchObject({
      code: -32602,
      data: { suggestion: expect.stringContaining('debug, info, notice') },
    });
  });

  it.each(['x://none', 'instruction://none', 'scratchpad://none', 'entity://none'])(
    'an unknown resource %s says where to look',
    async (uri) => {
      const asked = program.client.readResource({ uri });
      await expect(asked).rejects.toMatchObject({ data: { suggestion: expect.stringContaining('resources/list') } });
    },
  );
});

describe('over HTTP', () => {
  const { folder, remove } = makeFolder();
  let served: Served;
  beforeAll(async () => {
    const env = { FOURFOLD_HOME: folder, SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'debug', FOURFOLD_RATE_LIMITS: '0' };
    served = await serveProgram(env);
  });
  afterAll(async () => {
    await served?.stop();
    remove();
  });

  const overHttp =
    (key: string): Ask =>
    async (name, args) => {
      const response = await fetch(`${served.url}/api/tools/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(args),
      });
      const answer = (await response.json()) as Json;
      return response.ok ? succeeded : fixOf(answer);
    };

  it('every error of every tool has a fix that helps', async () => {
    expectUseful(await walk(overHttp(served.key)), 1_000);
  }, 120_000);

  it('every error that a key without scopes for it gets names the scope', async () => {
    const env = { FOURFOLD_HOME: folder };
    const made = await runProgram(['keys', 'create', 'reader', '--scopes', 'read', '--json'], env);
    const ask = overHttp(/ff_[\w-]+/.exec(made.stdout)?.[0] ?? '');
    expectUseful(await walk(ask, ({ scope }) => scope !== 'read'), 100);
  }, 120_000);
});

it('negative control: finds an error without a fix, with a general one, and with one that names nothing', () => {
  const useless = (fix: unknown) => findUseless({ tool: 'scratch_list', label: 'a cursor', fix });
  expect(useless(undefined)).toEqual(['scratch_list with a cursor: no fix']);
  for (const { code, fix } of allFaults().filter(({ code: one }) => one === 'NOT_FOUND' || one === 'CONFLICT'))
    expect(useless(fix), code).toHaveLength(1);
  expect(useless('It was restored already, or it never existed.')).toHaveLength(1);
  expect(useless('scratch_trash lists them.')).toEqual([]);
  expect(useless('Leave out cursor to start again.')).toEqual([]);
  expect(useless('Leave out horn to start again.')).toHaveLength(1);
  expect(fixOfTexts(['Error: no'])).toBeUndefined();
});
