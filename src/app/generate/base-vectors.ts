import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadBaseSections } from '#domains/knowledge/base/knowledge-base.ts';
import { compareVectors, embedBase, readVectorsFile, vectorsFile } from '#domains/knowledge/base/vectors-file.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import type { Log } from '#kernel/log/log.ts';

const baseFolder = 'knowledge-base';
/** Texts per call of the model. */
const batchCount = 16;

export interface BaseVectorsDeps {
  readonly log: Log;
  /** Undefined if its package is not installed. */
  readonly openModel?: () => Promise<Embedder | undefined>;
}

async function openDefaultModel(): Promise<Embedder | undefined> {
  const { openMiniLm } = await import('#kernel/embed/minilm/open-minilm.ts');
  return openMiniLm({ batchCount });
}

/**
 * Updates the vectors of the knowledge base and returns the paths that differed; `check` writes nothing. Embeds only
 * changed entries. Without the model the file stays as it is, and keyword search still finds its entries.
 */
export async function generateBaseVectors(
  root: string,
  check: boolean,
  { log, openModel = openDefaultModel }: BaseVectorsDeps,
): Promise<readonly string[]> {
  const folder = join(root, baseFolder);
  const path = `${baseFolder}/${vectorsFile}`;
  const sections = await loadBaseSections(folder, log);
  const known = readVectorsFile(folder);
  const { missing, orphanIds: strayIds } = compareVectors(known, sections);
  const isCurrent = missing.length === 0 && strayIds.length === 0;
  if (check) return isCurrent ? [] : [path];
  const embedder = await openModel();
  if (embedder === undefined) {
    if (!isCurrent)
      log.warn(
        { path, missing: missing.length },
        'the embedding model is not installed; the vectors file is not updated',
      );
    return [];
  }
  try {
    if (isCurrent && known?.model === embedder.id) return [];
    const made = await embedBase(sections, known, embedder, new AbortController().signal);
    writeFileSync(join(folder, vectorsFile), `${JSON.stringify(made, null, 2)}\n`);
    return [path];
  } finally {
    await embedder.close();
  }
}
