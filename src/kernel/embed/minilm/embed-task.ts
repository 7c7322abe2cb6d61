import { readFileSync } from 'node:fs';
import { yieldToEventLoop } from '../../clock/yield-to-event-loop.ts';
import { embedLimits } from '../embed-limits.ts';
import { loadNetwork } from './load-network.ts';
import { createDesk, type Desk, packTexts, runNetwork } from './run-network.ts';
import { createWordPieces, type WordPieces } from './word-pieces.ts';

export interface ModelFiles {
  readonly weights: string;
  readonly tokenizer: string;
}

export interface EmbedJob {
  /** Comes back with the answer: jobs may overtake each other. */
  readonly ticket: number;
  readonly files: ModelFiles;
  readonly texts: readonly string[];
  readonly isQuery: boolean;
}

export interface EmbedAnswer {
  readonly ticket: number;
  readonly vectors: readonly Float32Array[];
}

export interface Model {
  readonly toPieces: WordPieces;
  readonly queries: Desk;
  readonly documents: Desk;
}

interface TokenizerFile {
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
}

export function loadModel({ weights, tokenizer }: ModelFiles): Model {
  const { model } = JSON.parse(readFileSync(tokenizer, 'utf8')) as TokenizerFile;
  const network = loadNetwork(weights);
  return {
    toPieces: createWordPieces(new Map(Object.entries(model.vocab))),
    queries: createDesk(network),
    documents: createDesk(network),
  };
}

/** `rest` is called between two layers; undefined: the run is short and somebody waits for it. */
export async function embedTexts(
  { toPieces }: Model,
  desk: Desk,
  texts: readonly string[],
  rest: (() => Promise<void>) | undefined,
): Promise<readonly Float32Array[]> {
  const pieces = texts.map((text) => toPieces(text, embedLimits.piecesCount));
  const vectors: Float32Array[] = [];
  for (const pack of packTexts(pieces)) {
    const run = runNetwork(
      desk,
      pack.map((text) => pieces[text]!),
    );
    let turn = run.next();
    while (!turn.done) {
      if (rest !== undefined) await rest();
      turn = run.next();
    }
    vectors.push(...turn.value);
  }
  return vectors;
}

/** What the model's thread does. The model is loaded with the first job. */
export function createEmbedTask(): (job: EmbedJob) => Promise<EmbedAnswer> {
  let model: Model | undefined;
  let documents: Promise<unknown> = Promise.resolve();
  return async ({ ticket, files, texts, isQuery }) => {
    model ??= loadModel(files);
    const loaded = model;
    if (isQuery) return { ticket, vectors: await embedTexts(loaded, loaded.queries, texts, undefined) };
    // There is one desk for documents; a query that comes in the meantime is heard while they rest.
    const vectors = documents.then(() => embedTexts(loaded, loaded.documents, texts, () => yieldToEventLoop()));
    documents = vectors.catch(() => {});
    return { ticket, vectors: await vectors };
  };
}
