import { expect, it } from 'vitest';
import type { ToolCall } from '#kernel/tool/tool.ts';
import type { Knowledge } from '../knowledge.ts';
import { describeDocs, passage } from '../search/docs.fixture.ts';
import { callToolHandler } from './call-tool-handler.ts';
import { createKnowledgeTools } from './knowledge-tools.ts';
import { Router } from './router.ts';

describeDocs('the tools of this memory, called directly', (engine) => {
  const open = () => {
    const { call, docs } = engine.open([passage('v5/hooks#around', { title: 'Around hooks' })]).as(engine.newTenant());
    const knowledge = { search: docs } as Pick<Knowledge, 'search'> as Knowledge;
    return createKnowledgeTools(knowledge, call as ToolCall);
  };

  it('answer the payload as JSON, with the name of the tool', async () => {
    const { content, metadata } = await callToolHandler(open())({ name: 'search_docs', arguments: { query: 'hooks' } });
    expect(JSON.parse(content)).toMatchObject({ query: 'hooks', version: 'v5', results: [{ id: 'v5/hooks#around' }] });
    expect(metadata).toMatchObject({ tool: 'search_docs' });
  });

  it('check their arguments in the router', async () => {
    const router = new Router(open());
    expect(await router.route({ toolName: 'search_docs', params: { query: 'x', limit: 51 } })).toMatchObject({
      success: false,
      error: { code: 'INVALID_PARAMS' },
    });
  });
});
