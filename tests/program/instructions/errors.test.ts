import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionForms, type CatalogProgram, callForms, mutationOn, openCatalog } from './catalog-program.ts';
import { entryFiles, entryInput } from './entries.fixture.ts';

describe('what the instruction family answers when something is wrong', () => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openCatalog(mutationOn, entryFiles);
  });
  afterAll(() => program.close());

  describe.each(callForms)('by %s', (form) => {
    it('an unknown action is -32601 and names it', async () => {
      const error = await program.error(form, 'instructions/dispatch', { action: 'nonsense' });
      expect(error).toMatchObject({
        code: -32601,
        data: {
          action: 'nonsense',
          reason: expect.any(String),
          suggestion: expect.any(String),
          documentation: expect.any(String),
        },
      });
    });

    it.each([{}, { action: '' }, { action: '  ' }])('a missing action (%j) is -32602 and says so', async (args) => {
      const error = await program.error(form, 'instructions/dispatch', args);
      expect(error).toMatchObject({ code: -32602, data: { reason: 'missing_action' } });
    });

    it('the dispatcher does not take an action twice around', async () => {
      const { error } = await program.call(form, 'instructions/dispatch', { action: 'dispatch' });
      expect(error?.code).toBe(-32601);
    });

    it.each([
      ['usage/track', {}],
      ['usage/hotset', { limit: 101 }],
      ['usage/hotset', { colour: 'red' }],
      ['feedback/submit', { type: 'nonsense', severity: 'low', title: 'abc', description: 'long enough text' }],
      ['feedback/list', { limit: 201 }],
      ['prompt/review', {}],
      ['integrity/verify', { x: 1 }],
      ['gates/evaluate', { x: 1 }],
    ])('%s refuses %j with the place of each error', async (name, args) => {
      const error = await program.error(form, name, args);
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('Invalid params') });
      expect(error.data).toMatchObject({
        method: name,
        errors: expect.arrayContaining([
          expect.objectContaining({
            instancePath: expect.any(String),
            keyword: expect.any(String),
            message: expect.any(String),
            schemaPath: expect.any(String),
            params: expect.any(Object),
          }),
        ]),
        suggestion: expect.any(String),
        documentation: expect.any(String),
      });
    });
  });

  describe.each(actionForms)('by %s', (form) => {
    it.each([
      ['instructions/get', {}],
      ['instructions/get', { id: 7 }],
      ['instructions/list', { limit: -1 }],
      ['instructions/list', { colour: 'red' }],
      ['instructions/search', {}],
      ['instructions/search', { q: 'x', mode: 'psychic' }],
      ['instructions/query', { limit: 'ten' }],
      ['instructions/diff', { known: [{ id: 'alpha' }] }],
      ['instructions/inspect', { scope: 'everything' }],
      ['instructions/import', { entries: [], mode: 'sideways' }],
      ['instructions/remove', { ids: 'alpha' }],
    ])('%s refuses %j', async (name, args) => {
      const error = await program.error(form, name, args);
      expect(error.code).toBe(-32602);
      expect(error.data).toMatchObject({ errors: expect.any(Array), method: expect.stringContaining('instructions/') });
    });

    it('text that no store could keep is refused everywhere', async () => {
      const error = await program.error(form, 'instructions/get', { id: 'a\u0000b' });
      expect(error.code).toBe(-32602);
    });

    it('_meta is never an unknown argument', async () => {
      expect(await program.value(form, 'instructions/list', { _meta: { any: 'thing' } })).toHaveProperty('hash');
    });

    it('a batch over its limit is -32001', async () => {
      const { limits } = await program.value<{ limits: { maxBatchSize: number } }>(form, 'instructions/capabilities');
      const operations = Array.from({ length: limits.maxBatchSize + 1 }, () => ({ action: 'list', limit: 1 }));
      const { error } = await program.call(form, 'instructions/batch', { operations });
      expect(error?.code).toBe(-32001);
    });
  });

  it('an unknown plain method is -32601, an unknown tool says so in words', async () => {
    expect((await program.plain('instructions/nonsense', {})).error?.code).toBe(-32601);
    const answer = (await program.client.callTool({ name: 'instructions_nonsense', arguments: {} })) as {
      isError?: boolean;
      content: { text?: string }[];
    };
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toBe('Error: Unknown tool: instructions_nonsense');
  });

  it('a plain method is served before initialize, and to a client of the document’s own making', async () => {
    const fresh = await openCatalog({}, entryFiles);
    expect((await fresh.plain('instructions/list', {})).result).toMatchObject({ count: 3 });
    const { result } = await fresh.plain('initialize', {
      protocolVersion: '1.0.0',
      capabilities: { tools: true, logging: true },
    });
    expect(result).toHaveProperty('protocolVersion');
    await fresh.close();
  });

  it('params may be left out where nothing is required', async () => {
    for (const name of ['instructions/list', 'instructions/categories', 'integrity/verify', 'gates/evaluate']) {
      expect((await program.plain(name)).result, name).toBeDefined();
    }
  });

  it('nothing that failed left a trace in the catalog', async () => {
    expect(await program.value('plain method', 'instructions/list')).toMatchObject({ count: 3 });
    const kept = await program.value('plain method', 'instructions/add', { entry: entryInput('last') });
    expect(kept).toMatchObject({ created: true });
  });
});
