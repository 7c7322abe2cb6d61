import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, type Served, serveProgram } from '#tests/support/program.ts';
import { md, openNotebooks, quietEnv } from './notebook-program.ts';

/** Embeds documents immediately and a query only when the test allows it, so that a search can be kept running. */
async function openSlowService() {
  const held: (() => void)[] = [];
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
  const answer = (res: ServerResponse, inputs: readonly string[]): void => {
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify({ data: inputs.map((_, index) => ({ index, embedding: [1, 0, 0, 0] })), model: 'slow' }));
  };
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    req.on('end', () => {
      const { input } = JSON.parse(body) as { input: readonly string[] };
      if (!input.includes('gramophone')) return answer(res, input);
      held.push(() => answer(res, input));
      isAsked();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    env: {
      FOURFOLD_EMBEDDING_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'slow',
    },
    /** Resolves when a search waits for its query. */
    asked,
    release: () => {
      for (const answerNow of held.splice(0)) answerNow();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * [NB23] is about a call that reaches a closed store. No client can make one: after the signal stdio reads nothing,
 * HTTP accepts no connection, and the store closes after the last answer.
 */
describe('a shutdown during a search', () => {
  let service: Awaited<ReturnType<typeof openSlowService>>;
  beforeEach(async () => {
    service = await openSlowService();
  });
  afterEach(() => service.close());

  it('on stdio answers it, and later writes happen completely or not at all', async () => {
    const program = await openNotebooks(service.env);
    const ended = new Promise((resolve) => program.child.once('exit', resolve));
    await program.call('scratch_create', { scratch_id: 'p', cells: [md('A zeppelin.')] });
    const searching = program.call('scratch_search', { query: 'gramophone' });
    await service.asked;
    program.child.kill('SIGTERM');
    let isAcknowledged = false;
    program.call('scratch_append_cell', { scratch_id: 'p', cell: md('After.') }).then(
      () => {
        isAcknowledged = true;
      },
      () => {},
    );
    service.release();
    expect(await searching).toMatchObject({ ok: true, mode: 'hybrid' });
    expect(await ended).toBe(0);
    const next = await openNotebooks({ FOURFOLD_HOME: program.env['FOURFOLD_HOME']! });
    const { cells } = await next.read('p');
    expect(cells.length).toBeGreaterThanOrEqual(isAcknowledged ? 2 : 1);
    await next.close();
    await program.close();
  });

  it('over HTTP answers it and accepts no other call meanwhile', async () => {
    const { folder, remove } = makeFolder();
    const served: Served = await serveProgram({ ...quietEnv, ...service.env, FOURFOLD_HOME: join(folder, 'home') });
    const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' };
    const ask = (tool: string, args: object) =>
      fetch(`${served.url}/api/tools/${tool}`, { method: 'POST', headers, body: JSON.stringify(args) });
    expect((await ask('scratch_create', { scratch_id: 'p', cells: [md('A zeppelin.')] })).status).toBe(200);
    const searching = ask('scratch_search', { query: 'gramophone' });
    await service.asked;
    const stopped = served.stop();
    const isRefused = () =>
      ask('scratch_list', {}).then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused, { timeout: 120_000, interval: 10 }).toBe(true);
    service.release();
    const answered = await searching;
    expect([answered.status, await answered.json()]).toMatchObject([200, { ok: true, mode: 'hybrid' }]);
    await stopped;
    remove();
  });
});
