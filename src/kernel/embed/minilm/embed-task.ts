import { readFileSync } from 'node:fs';
import { type RequestClock, yieldToRequests } from '../../clock/yield-to-event-loop.ts';
import { embedLimits } from '../embed-limits.ts';
import { loadNetwork } from './load-network.ts';
import { createWorkspace, packTexts, runNetwork, type TextEmbedding, type Workspace } from './run-network.ts';
import type { TokenOutput } from './token-vectors.ts';
import { createWordPieces, type WordPieces } from './word-pieces.ts';

export interface ModelFiles {
  readonly weights: string;
  readonly tokenizer: string;
}

export interface EmbedJob {
  /** Returned with the answer. */
  readonly ticket: number;
  readonly files: ModelFiles;
  readonly texts: readonly string[];
  readonly output: TokenOutput;
  /** For documents: the work rests while requests arrive. */
  readonly requests?: RequestClock;
}

export interface EmbedAnswer {
  readonly ticket: number;
  readonly embeddings: readonly TextEmbedding[];
}

export interface Model {
  readonly toPieces: WordPieces;
  readonly workspace: Workspace;
}

interface TokenizerFile {
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
}

export function loadModel({ weights, tokenizer }: ModelFiles): Model {
  const { model } = JSON.parse(readFileSync(tokenizer, 'utf8')) as TokenizerFile;
  return {
    toPieces: createWordPieces(new Map(Object.entries(model.vocab))),
    workspace: createWorkspace(loadNetwork(weights)),
  };
}

/** `rest` is awaited after each few milliseconds; undefined for a short run that a caller waits for. */
export async function embedTexts(
  { toPieces, workspace }: Model,
  texts: readonly string[],
  rest: (() => Promise<void>) | undefined,
  output: TokenOutput = 'none',
): Promise<readonly TextEmbedding[]> {
  const pieces = texts.map((text) => toPieces(text, embedLimits.piecesCount));
  const embeddings: TextEmbedding[] = [];
  for (const pack of packTexts(pieces)) {
    const run = runNetwork(
      workspace,
      pack.map((text) => pieces[text]!),
      output,
    );
    let turn = run.next();
    while (!turn.done) {
      if (rest !== undefined) await rest();
      turn = run.next();
    }
    embeddings.push(...turn.value);
  }
  return embeddings;
}

/** The work of a thread with a model, one job at a time. The first job loads the model. */
export function createEmbedTask(): (job: EmbedJob) => Promise<EmbedAnswer> {
  let model: Model | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return async ({ ticket, files, texts, output, requests }) => {
    model ??= loadModel(files);
    const loaded = model;
    const rest = requests === undefined ? undefined : () => yieldToRequests(undefined, requests);
    const embeddings = last.then(() => embedTexts(loaded, texts, rest, output));
    last = embeddings.catch(() => {});
    return { ticket, embeddings: await embeddings };
  };
}
