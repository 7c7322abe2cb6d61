import { faults } from '../fault/kernel-faults.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Embedder } from './embedder.ts';

export interface EmbedderOptions {
  readonly isOn: boolean;
  /** `minilm`, `debug`, or with `url` the name of the model there. */
  readonly model: string;
  readonly batchCount: number;
  /** A service with the OpenAI protocol. */
  readonly url?: string;
  readonly key?: string;
  readonly dimension?: number;
}

export interface OpenEmbedderDeps {
  /** Called only if there is a remote service. */
  readonly outbound: () => Outbound;
}

/** Other names of the shipped model. */
const minilmNames: ReadonlySet<string> = new Set([
  'minilm',
  'all-minilm-l6-v2',
  'sentence-transformers/all-minilm-l6-v2',
  'st:all-minilm-l6-v2',
]);

/** The configured embedder. Undefined if switched off or its package is not installed. */
export async function openEmbedder(options: EmbedderOptions, deps: OpenEmbedderDeps): Promise<Embedder | undefined> {
  const { isOn, model, url, batchCount } = options;
  if (!isOn) return undefined;
  if (url !== undefined) {
    const { createRemoteEmbedder } = await import('./remote-embedder.ts');
    return createRemoteEmbedder({ ...options, url }, { outbound: deps.outbound() });
  }
  if (model === 'debug') return (await import('./embedder.ts')).createDebugEmbedder();
  if (minilmNames.has(model.toLowerCase())) return (await import('./minilm/open-minilm.ts')).openMiniLm({ batchCount });
  throw faults.CONFIG_ERROR({
    why: `embeddingModel: unknown model ${model}; use minilm or debug, or set embeddingUrl to a service that has it`,
  });
}
