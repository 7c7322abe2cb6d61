import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '#kernel/log/log.ts';
import { encodeStaticIndex } from '#kernel/search/static-index.ts';
import { listFiles } from './base-files.ts';
import { baseCategories } from './entry.ts';
import { KnowledgeLoader } from './knowledge-loader.ts';
import { indexFile, indexPassages, loadPassages } from './open-base.ts';
import { readVectorsFile, vectorsFile } from './vectors-file.ts';

/** Compiles a base as it is written into the form that is shipped: JSON a file, the index, and the vectors as they are. Throws on the first bad file. */
export async function writeBase(from: string, to: string, log: Log): Promise<void> {
  const loader = new KnowledgeLoader({ directories: [from], log });
  for (const category of baseCategories) {
    for (const name of listFiles(from, category)) {
      const file = join(to, category, `${name}.json`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(await loader.load(category, name)));
    }
  }
  mkdirSync(to, { recursive: true });
  const vectors = readVectorsFile(from);
  if (vectors !== undefined) writeFileSync(join(to, vectorsFile), JSON.stringify(vectors));
  writeFileSync(join(to, indexFile), encodeStaticIndex(await indexPassages(await loadPassages(to, log))));
}
