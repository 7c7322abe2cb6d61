import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasCorpora, readCorpus } from '#tests/support/corpora.ts';
import { makeFolder, probeFile } from '#tests/support/program.ts';

describe.runIf(hasCorpora)('the big list of naughty strings through a real client', () => {
  const { folder, remove } = makeFolder();
  const client = new Client({ name: 'test', version: '1' });
  const strings = (): readonly string[] => JSON.parse(readCorpus('blns/blns.json').toString()) as string[];

  beforeAll(async () => {
    const env = { ...process.env, FOURFOLD_HOME: folder } as Record<string, string>;
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [probeFile], env, stderr: 'ignore' }),
    );
  });
  afterAll(async () => {
    await client.close();
    remove();
  });

  it('comes back unchanged as text', async () => {
    for (const [i, text] of strings().entries()) {
      await client.callTool({ name: 'probe_put', arguments: { id: `n${i}`, text } });
      const { structuredContent } = await client.callTool({ name: 'probe_get', arguments: { id: `n${i}` } });
      expect(structuredContent).toEqual({ id: `n${i}`, text });
    }
  });

  it('is accepted or rejected as id, query, cursor, tool name and argument name, and the next call works', async () => {
    for (const text of strings()) {
      const calls = [
        { name: 'probe_get', arguments: { id: text } },
        { name: 'tools_find', arguments: { query: text } },
        { name: 'audit_list', arguments: { cursor: text } },
        { name: 'tools_call', arguments: { name: text } },
        { name: 'health_check', arguments: { [text]: 1 } },
      ];
      for (const call of calls) {
        const answer = (await client.callTool(call)) as { content: { text?: string }[] };
        expect(answer.content[0]?.text ?? '').not.toContain('Internal error');
      }
    }
    const { structuredContent } = await client.callTool({ name: 'health_check', arguments: {} });
    expect(structuredContent).toMatchObject({ status: 'ok' });
  });
});
