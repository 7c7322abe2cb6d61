import { readFileSync } from 'node:fs';
import { yieldToEventLoop } from '../../clock/yield-to-event-loop.ts';
import { embedLimits } from '../embed-limits.ts';
import { loadNetwork } from './load-network.ts';
import { createWorkspace, packTexts, runNetwork, type Workspace } from './run-network.ts';
import { createWordPieces, type WordPieces } from './word-pieces.ts';

export interface ModelFiles {
  readonly weights: string;
  readonly tokenizer: string;
}

export interface EmbedJob {
  /** Returned with the answer, because jobs may overtake each other. */
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
  readonly queries: Workspace;
  readonly documents: Workspace;
}

interface TokenizerFile {
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
}

export function loadModel({ weights, tokenizer }: ModelFiles): Model {
  const { model } = JSON.parse(readFileSync(tokenizer, 'utf8')) as TokenizerFile;
  const network = loadNetwork(weights);
  return {
    toPieces: createWordPieces(new Map(Object.entries(model.vocab))),
    queries: createWorkspace(network),
    documents: createWorkspace(network),
  };
}

/** `rest` is awaited between two layers; undefined for a short run that a caller waits for. */
export async function embedTexts(
  { toPieces }: Model,
  workspace: Workspace,
  texts: readonly string[],
  rest: (() => Promise<void>) | undefined,
): Promise<readonly Float32Array[]> {
  const pieces = texts.map((text) => toPieces(text, embedLimits.piecesCount));
  const vectors: Float32Array[] = [];
  for (const pack of packTexts(pieces)) {
    const run = runNetwork(
      workspace,
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

/** The work of the model's thread. The first job loads the model. */
export function createEmbedTask(): (job: EmbedJob) => Promise<EmbedAnswer> {
  let model: Model | undefined;
  let documents: Promise<unknown> = Promise.resolve();
  return async ({ ticket, files, texts, isQuery }) => {
    model ??= loadModel(files);
    const loaded = model;
    if (isQuery) return { ticket, vectors: await embedTexts(loaded, loaded.queries, texts, undefined) };
    // Documents share one workspace; a query that arrives meanwhile is served while they yield.
    const vectors = documents.then(() => embedTexts(loaded, loaded.documents, texts, () => yieldToEventLoop()));
    documents = vectors.catch(() => {});
    return { ticket, vectors: await vectors };
  };
}
