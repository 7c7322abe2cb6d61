import { setTimeout as wait } from 'node:timers/promises';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import type { Outbound, OutboundAnswer } from '../outbound/outbound.ts';
import { embedLimits } from './embed-limits.ts';
import { type Embedder, TextRejectedError } from './embedder.ts';

export interface RemoteOptions {
  /** Up to, but without, `/embeddings`. */
  readonly url: string;
  readonly key?: string;
  readonly model: string;
  /** For services that can shorten their vectors. */
  readonly dimension?: number;
  readonly batchCount: number;
}

export interface RemoteDeps {
  readonly outbound: Outbound;
  /** From 0 up to 1. */
  readonly random?: () => number;
  readonly retryMs?: number;
}

interface Answer {
  readonly data: readonly { readonly index?: number; readonly embedding: readonly number[] }[];
}

/** A failure of the service or the network: the same texts may succeed later. */
class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly isWorthRetrying: boolean;

  constructor(message: string, isWorthRetrying: boolean) {
    super(message);
    this.isWorthRetrying = isWorthRetrying;
  }
}

const refusing: ReadonlySet<number> = new Set([400, 413, 422]);

/** Only the status: the body of a service may repeat the texts or the key. */
function checkStatus({ status }: OutboundAnswer): void {
  if (status >= 200 && status < 300) return;
  const message = `the embedding service answered with status ${status}`;
  if (refusing.has(status)) throw new TextRejectedError(message);
  throw new ServiceError(message, status === 408 || status === 429 || status >= 500);
}

function toVector(numbers: unknown): Float32Array {
  const vector = Float32Array.from(Array.isArray(numbers) ? (numbers as number[]) : []);
  const length = Math.hypot(...vector);
  if (!(length > 0) || !Number.isFinite(length)) {
    throw new ServiceError('the embedding service returned an invalid vector', false);
  }
  return vector.map((value) => value / length);
}

function toVectors(body: Buffer, count: number): readonly Float32Array[] {
  let answer: Partial<Answer> | null;
  try {
    answer = JSON.parse(body.toString()) as Partial<Answer> | null;
  } catch {
    throw new ServiceError('the embedding service returned invalid JSON', true);
  }
  const found: Answer['data'] = Array.isArray(answer?.data) ? answer.data : [];
  const vectors: Float32Array[] = [];
  found.forEach((entry, at) => {
    vectors[entry.index ?? at] = toVector(entry.embedding);
  });
  const isWhole = found.length === count && vectors.length === count && Object.keys(vectors).length === count;
  if (!isWhole) throw new ServiceError('the embedding service returned a wrong number of vectors', false);
  if (new Set(vectors.map(({ length }) => length)).size > 1) {
    throw new ServiceError('the embedding service returned vectors of different lengths', false);
  }
  return vectors;
}

/** Any embedding service with the OpenAI protocol. Its address is checked like every outbound address. */
export function createRemoteEmbedder(options: RemoteOptions, deps: RemoteDeps): Embedder {
  const { url, key, model, dimension, batchCount } = options;
  const { outbound, random = Math.random, retryMs = embedLimits.remoteRetryMs } = deps;
  if (model === '')
    throw faults.CONFIG_ERROR({ why: 'embeddingModel is empty; name the model of the service at embeddingUrl' });
  const address = `${url.replace(/\/$/, '')}/embeddings`;
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };

  async function ask(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const body = JSON.stringify({
      model,
      input: texts,
      encoding_format: 'float',
      ...(dimension === undefined ? {} : { dimensions: dimension }),
    });
    const answer = await outbound.request(
      address,
      { method: 'POST', headers, body },
      { signal, bytesMax: embedLimits.remoteAnswerBytes, timeoutMs: embedLimits.remoteTimeoutMs },
    );
    checkStatus(answer);
    return toVectors(answer.body, texts.length);
  }

  const isWorthRetrying = (error: unknown): boolean =>
    error instanceof ServiceError ? error.isWorthRetrying : error instanceof Fault && error.kind.retryable;

  /** Each pause is about twice the one before, with jitter, so that processes do not retry together. */
  async function embedBatch(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask(texts, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (tries === embedLimits.remoteTriesCount || !isWorthRetrying(error)) throw error;
      }
      const pauseMs = Math.min(retryMs * 2 ** (tries - 1), embedLimits.remoteRetryMostMs);
      await wait(pauseMs * (0.5 + random()), undefined, { signal });
    }
  }

  return {
    id: dimension === undefined ? `remote:${model}` : `remote:${model}:${dimension}`,
    dimension,
    partChars: embedLimits.remotePartChars,
    batchCount,
    async embed(texts, { signal }) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchCount) {
        vectors.push(...(await embedBatch(texts.slice(from, from + batchCount), signal)));
      }
      return vectors;
    },
    async close() {},
  };
}
