import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveProgram } from '#tests/support/program.ts';
import { actionForms, type CatalogProgram, callForms, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { entryFiles, entryInput } from './entries.fixture.ts';

/** Every action that changes the catalog, with valid arguments. */
const writes: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['instructions/add', { entry: entryInput('new') }],
  ['instructions/import', { entries: [entryInput('new')], mode: 'overwrite' }],
  ['instructions/remove', { ids: ['alpha'] }],
  ['instructions/restore', { ids: ['alpha'] }],
  ['instructions/reload', {}],
  ['instructions/groom', { mode: { mergeDuplicates: true } }],
  ['instructions/repair', {}],
  ['instructions/enrich', {}],
  ['instructions/governanceUpdate', { id: 'alpha', patch: { owner: 'x' } }],
  ['instructions/rollback', { id: 'alpha', to: 1 }],
  ['instructions/approve', { proposal_id: 'p-1' }],
  ['instructions/reject', { proposal_id: 'p-1', reason: 'x' }],
];
const otherWrites: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['usage/flush', {}],
  ['feedback/update', { id: 'x', status: 'resolved' }],
];

/** An approval cannot be proposed; every documented change can be, or its error says how to go on. */
const refused = (name: string) => ({
  code: -32000,
  data: {
    name: 'MUTATION_DISABLED',
    suggestion: expect.stringMatching(
      name === 'instructions/approve'
        ? /fourfold instructions approve .*dashboard.*MCP_ENABLE_MUTATION/
        : /instructions\/propose\b.*MCP_ENABLE_MUTATION/,
    ) as string,
  },
});

describe('[IN22] the mutation gate, closed by default', () => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openCatalog({}, entryFiles);
  });
  afterAll(async () => {
    expect(readdirSync(program.entries).filter((name) => name.endsWith('.json'))).toHaveLength(3);
    await program.close();
  });

  describe.each(actionForms)('by %s', (form) => {
    it.each(writes)('rejects %s', async (name, args) => {
      expect(await program.error(form, name, args)).toMatchObject(refused(name));
    });

    it('a batch continues, and each write in it is rejected', async () => {
      const operations = writes.map(([name, args]) => ({ action: name.slice('instructions/'.length), ...args }));
      const { results } = await program.value<{ results: object[] }>(form, 'instructions/batch', {
        operations: [{ action: 'get', id: 'alpha' }, ...operations],
      });
      expect(results[0]).toMatchObject({ item: { id: 'alpha' } });
      expect(results.slice(1)).toMatchObject(writes.map(([name]) => ({ error: refused(name) })));
    });

    it.each(writes)('[IN53] is asked before the arguments of %s are checked', async (name) => {
      expect(await program.error(form, name, { bogus: 1 })).toMatchObject(refused(name));
      const { results } = await program.value<{ results: object[] }>(form, 'instructions/batch', {
        operations: [{ action: name.slice('instructions/'.length), bogus: 1 }],
      });
      expect(results).toMatchObject([{ error: refused(name) }]);
    });

    it('[IN53] an invalid dry run is answered with its error', async () => {
      expect(await program.error(form, 'instructions/groom', { mode: { dryRun: true, bogus: 1 } })).toMatchObject({
        code: -32602,
      });
    });

    it('a dry run of groom and a comparing repair are reads', async () => {
      expect(await program.value(form, 'instructions/groom', { mode: { dryRun: true } })).toMatchObject({
        dryRun: true,
      });
      expect(await program.value(form, 'instructions/repair', { known: [] })).toHaveProperty('added');
    });
  });

  describe.each(callForms)('other tools, by %s', (form) => {
    it.each(otherWrites)('rejects %s', async (name, args) => {
      expect(await program.error(form, name, args)).toMatchObject(refused(name));
    });

    it('does not gate usage/track and feedback/submit', async () => {
      expect(await program.value(form, 'usage/track', { id: 'alpha' })).toMatchObject({ id: 'alpha' });
      const feedback = { type: 'issue', severity: 'low', title: 'A title', description: 'Long enough to say it.' };
      expect(await program.value(form, 'feedback/submit', feedback)).toMatchObject({ status: 'submitted' });
    });

    it('meta/tools marks the gated tools', async () => {
      const meta = await program.value<{
        tools: { method: string; mutation: boolean; disabled?: boolean }[];
        dynamic: { mutationEnabled: boolean; disabled: { method: string }[] };
      }>(form, 'meta/tools');
      expect(meta.dynamic.mutationEnabled).toBe(false);
      const shut = meta.dynamic.disabled.map(({ method }) => method);
      expect(shut).toEqual(expect.arrayContaining(['instructions/add', 'instructions/remove', 'usage/flush']));
      expect(meta.tools.find(({ method }) => method === 'instructions/add')).toMatchObject({
        mutation: true,
        disabled: true,
      });
    });
  });

  it('tools_call cannot bypass it', async () => {
    for (const [name, args] of writes) {
      const inner = { name, arguments: args };
      expect(await program.error('tools/call', 'tools_call', inner), name).toMatchObject(refused(name));
    }
  });
});

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('the mutation gate over HTTP', () => {
  const files = entryFiles;

  it.each([
    ['closed', {}],
    ['open', mutationOn],
  ] as const)('is %s in the API, as a plain method and as tools/call alike', async (state, env) => {
    const folder = await openCatalog({}, files);
    const served = await serveProgram({
      FOURFOLD_HOME: `${folder.home}-http`,
      FOURFOLD_LOG_LEVEL: 'error',
      INSTRUCTIONS_DIR: folder.entries,
      ...env,
    });
    const headers = {
      authorization: `Bearer ${served.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const send = async (
      method: string,
      params: object,
      more: Readonly<Record<string, string>> = {},
    ): Promise<string> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return (
        await fetch(new URL('/mcp', served.url), { method: 'POST', headers: { ...headers, ...more }, body })
      ).text();
    };
    /** Without a session, as clients of 2026 call. */
    const callTool = (name: string, args: object): Promise<string> =>
      send(
        'tools/call',
        { name, arguments: args, _meta: modernMeta },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
      );
    const entry = (id: string) => ({ entry: entryInput(id) });
    const answers = [
      await send('instructions/add', entry('by-method')),
      await send('instructions/dispatch', { action: 'add', ...entry('by-dispatch') }),
      await callTool('instructions_add', entry('by-call')),
      await callTool('instructions_dispatch', { action: 'add', ...entry('by-both') }),
      ...(state === 'closed' ? [await send('instructions/add', { bogus: 1 })] : []),
      ...(state === 'closed' ? [await callTool('instructions_remove', { bogus: 1 })] : []),
    ];
    for (const answer of answers) {
      if (state === 'closed') expect(answer).toContain('MUTATION_DISABLED');
      else expect(answer.replaceAll('\\', '')).toContain('"created":true');
    }
    await served.stop();
    await folder.close();
  });
});

describe('the mutation gate, open', () => {
  it.each(actionForms)('allows every write by %s', async (form) => {
    const program = await openCatalog(mutationOn, entryFiles);
    for (const [name, args] of writes) {
      const { error } = await program.call(form, name, args);
      expect(error?.code, name).not.toBe(-32000);
    }
    await program.close();
  });
});
