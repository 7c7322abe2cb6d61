import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionForms, type CatalogProgram, callForms, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { entryFiles, entryInput } from './entries.fixture.ts';

describe('errors of the instruction tools', () => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openCatalog(mutationOn, entryFiles);
  });
  afterAll(() => program.close());

  describe.each(callForms)('by %s', (form) => {
    it('answers -32601 with the name for an unknown action', async () => {
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

    it.each([{}, { action: '' }, { action: '  ' }])('answers -32602 for a missing action (%j)', async (args) => {
      const error = await program.error(form, 'instructions/dispatch', args);
      expect(error).toMatchObject({ code: -32602, data: { reason: 'missing_action' } });
    });

    it('dispatch does not dispatch to itself', async () => {
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
    ])('%s rejects %j with the path of each error', async (name, args) => {
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
    ])('%s rejects %j', async (name, args) => {
      const error = await program.error(form, name, args);
      expect(error.code).toBe(-32602);
      expect(error.data).toMatchObject({ errors: expect.any(Array), method: expect.stringContaining('instructions/') });
    });

    it('rejects text that a store cannot keep', async () => {
      const error = await program.error(form, 'instructions/get', { id: 'a\u0000b' });
      expect(error.code).toBe(-32602);
    });

    it('accepts _meta everywhere', async () => {
      expect(await program.value(form, 'instructions/list', { _meta: { any: 'thing' } })).toHaveProperty('hash');
    });

    it('answers -32001 for a batch over its limit', async () => {
      const { limits } = await program.value<{ limits: { maxBatchSize: number } }>(form, 'instructions/capabilities');
      const operations = Array.from({ length: limits.maxBatchSize + 1 }, () => ({ action: 'list', limit: 1 }));
      const { error } = await program.call(form, 'instructions/batch', { operations });
      expect(error?.code).toBe(-32001);
    });
  });

  it('answers -32601 for an unknown plain method and an error text for an unknown tool', async () => {
    expect((await program.plain('instructions/nonsense', {})).error?.code).toBe(-32601);
    const answer = (await program.client.callTool({ name: 'instructions_nonsense', arguments: {} })) as {
      isError?: boolean;
      content: { text?: string }[];
    };
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toBe('Error: Unknown tool: instructions_nonsense');
  });

  it('serves plain methods before initialize', async () => {
    const fresh = await openCatalog({}, entryFiles);
    expect((await fresh.plain('instructions/list', {})).result).toMatchObject({ count: 3 });
    const { result } = await fresh.plain('initialize', {
      protocolVersion: '1.0.0',
      capabilities: { tools: true, logging: true },
    });
    expect(result).toHaveProperty('protocolVersion');
    await fresh.close();
  });

  it('params are optional where nothing is required', async () => {
    for (const name of ['instructions/list', 'instructions/categories', 'integrity/verify', 'gates/evaluate']) {
      expect((await program.plain(name)).result, name).toBeDefined();
    }
  });

  it('failed calls leave the catalog unchanged', async () => {
    expect(await program.value('plain method', 'instructions/list')).toMatchObject({ count: 3 });
    const kept = await program.value('plain method', 'instructions/add', { entry: entryInput('last') });
    expect(kept).toMatchObject({ created: true });
  });
});
