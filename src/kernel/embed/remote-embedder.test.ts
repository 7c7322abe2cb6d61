import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOutbound } from '../outbound/outbound.ts';
import { TextRejectedError } from './embedder.ts';
import { openEmbedder } from './open-embedder.ts';
import { createRemoteEmbedder, type RemoteOptions } from './remote-embedder.ts';

interface Asked {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly dimensions?: number };
}

type Reply = (asked: Asked, response: ServerResponse, count: number) => void;

const key = 'sk-very-secret';
const json = (response: ServerResponse, status: number, value: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const toVector = (text: string): readonly number[] => [text.length, 3, 4];
/** In another order than requested, as the protocol allows. */
const answer: Reply = ({ body }, response) =>
  json(response, 200, {
    data: body.input.map((text, index) => ({ index, embedding: toVector(text) })).toReversed(),
  });

/** A service over a real socket. */
async function openService(
  reply: Reply,
  options: Partial<RemoteOptions> = {},
  allow: readonly string[] = ['127.0.0.1'],
) {
  const asked: Asked[] = [];
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { url = '', headers } = request;
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked['body'];
    const question = { url, authorization: headers.authorization, body };
    asked.push(question);
    reply(question, response, asked.length);
  }
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const embedder = createRemoteEmbedder(
    { url, key, model: 'some-model', batchCount: 2, ...options },
    { outbound: createOutbound({ allow }), retryMs: 1 },
  );
  const embed = (texts: readonly string[], signal = new AbortController().signal) =>
    embedder.embed(texts, { signal, purpose: 'document' });
  return { asked, embedder, embed, url };
}

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('it did not fail'),
    (error: unknown) => error as Error,
  );

describe('a remote embedder', () => {
  test('is called in batches by its protocol; its vectors are ordered and normalised', async () => {
    const { asked, embed, embedder } = await openService(answer);
    const vectors = await embed(['a', 'bb', 'ccc']);
    expect(asked).toEqual([
      {
        url: '/v1/embeddings',
        authorization: `Bearer ${key}`,
        body: { model: 'some-model', input: ['a', 'bb'], encoding_format: 'float' },
      },
      expect.objectContaining({ body: { model: 'some-model', input: ['ccc'], encoding_format: 'float' } }),
    ]);
    const wanted = ['a', 'bb', 'ccc'].map((text) => toVector(text).map((x) => x / Math.hypot(...toVector(text))));
    vectors.forEach((vector, i) => {
      for (const [at, value] of wanted[i]!.entries()) expect(vector[at]).toBeCloseTo(value, 5);
    });
    expect(embedder.id).toBe('remote:some-model');
  });

  test('can be asked for shorter vectors, which count as another model', async () => {
    const { asked, embed, embedder } = await openService(answer, { dimension: 3 });
    await embed(['a']);
    expect(asked[0]?.body.dimensions).toBe(3);
    expect(embedder.id).toBe('remote:some-model:3');
  });

  test('is called again if it is busy or broken for a moment', async () => {
    const { asked, embed } = await openService((question, response, count) => {
      if (count === 1) return void json(response, 429, {});
      if (count === 2) return void response.writeHead(200).end('no json');
      if (count === 3) return void response.destroy();
      answer(question, response, count);
    });
    expect(await embed(['a'])).toHaveLength(1);
    expect(asked).toHaveLength(4);
  });

  test('is given up for now if it stays broken', async () => {
    const { asked, embed } = await openService((_question, response) => void json(response, 503, { error: key }));
    const error = await failure(embed(['a']));
    expect(error.message).toBe('the embedding service answered with status 503');
    expect(asked).toHaveLength(4);
  });

  test.each([400, 413, 422])('rejects the text with status %i', async (status) => {
    const { asked, embed } = await openService((_question, response) => void json(response, status, {}));
    expect(await failure(embed(['a']))).toBeInstanceOf(TextRejectedError);
    expect(asked).toHaveLength(1);
  });

  test.each([401, 403, 404])('is not called again after status %i, and the text is not blamed', async (status) => {
    const { asked, embed } = await openService((_question, response) => void json(response, status, {}));
    const error = await failure(embed(['a']));
    expect(error).not.toBeInstanceOf(TextRejectedError);
    expect(error.message).toContain(String(status));
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['too few vectors', { data: [] }],
    [
      'the same one twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    ['vectors of different lengths', { data: [{ embedding: [1, 2] }, { embedding: [1] }] }],
    ['a vector without direction', { data: [{ embedding: [0, 0] }, { embedding: [1, 0] }] }],
    ['no list', { data: 'none' }],
    ['nothing', null],
  ])('is not trusted if it answers with %s', async (_what, value) => {
    const { embed } = await openService((_question, response) => void json(response, 200, value));
    expect((await failure(embed(['a', 'b']))).message).toContain('the embedding service returned');
  });

  test('is abandoned when the caller cancels', async () => {
    const controller = new AbortController();
    const { embed } = await openService(() => controller.abort(new Error('gone')));
    expect((await failure(embed(['a'], controller.signal))).message).toBe('gone');
  });

  test('on this machine is called only if the settings allow it', async () => {
    const { asked, embed } = await openService(answer, {}, []);
    expect(await failure(embed(['a']))).toMatchObject({ code: 'OUTBOUND_REFUSED' });
    expect(asked).toEqual([]);
  });

  test('never has its key in an error', async () => {
    const { embed } = await openService((_question, response) => void json(response, 401, { error: key }));
    const error = await failure(embed(['a']));
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain(key);
  });
});

describe('the settings', () => {
  const common = { isOn: true, model: 'minilm', batchCount: 4 };
  const noOutbound = () => {
    throw new Error('no service must be called');
  };

  test('choose the embedder', async () => {
    expect(await openEmbedder({ ...common, isOn: false }, { outbound: noOutbound })).toBeUndefined();
    expect((await openEmbedder({ ...common, model: 'debug' }, { outbound: noOutbound }))?.id).toBe('debug-hash-1');
    const remote = { ...common, url: 'https://example.com/v1', model: 'far' };
    expect((await openEmbedder(remote, { outbound: () => createOutbound() }))?.id).toBe('remote:far');
  });

  test('are rejected with a fix if they name an unknown model', async () => {
    const opened = openEmbedder({ ...common, model: 'gpt' }, { outbound: noOutbound });
    await expect(opened).rejects.toThrow('embeddingUrl');
    const nameless = openEmbedder(
      { ...common, model: '', url: 'https://example.com' },
      { outbound: () => createOutbound() },
    );
    await expect(nameless).rejects.toMatchObject({ code: 'CONFIG_ERROR' });
  });
});
