import type { Layer, Linear, Network } from './load-network.ts';
import { shape } from './tensors.ts';
import { signsOf, type TokenOutput, weighTokens } from './token-vectors.ts';

/** Memory for the rows of one run. */
export interface Workspace {
  readonly network: Network;
  /** The hidden state; the buffer of attention and later of the inner layer; rounded values; scales. */
  readonly rows: number;
  readonly mixed: number;
  readonly context: number;
  readonly rounded: number;
  readonly scales: number;
  readonly attention: number;
  readonly out: number;
}

export function createWorkspace(network: Network): Workspace {
  const { width, inner, rowsMax } = shape;
  // The inner layer is as wide as query, key, value and context together, and never needed at the same time.
  const mixed = network.take(rowsMax * inner * 4);
  return {
    network,
    rows: network.take(rowsMax * width * 4),
    mixed,
    context: mixed + rowsMax * width * 3 * 4,
    rounded: network.take(rowsMax * inner * 2),
    scales: network.take(rowsMax * 4),
    attention: network.take(rowsMax * 4),
    out: network.take(width * 4),
  };
}

/** The texts that fit into the workspace together: their rows are consecutive, without padding. */
export function packTexts(texts: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const packs: number[][] = [];
  let pack: number[] = [];
  let left = 0;
  texts.forEach((pieces, text) => {
    if (pieces.length > left) {
      pack = [];
      packs.push(pack);
      left = shape.rowsMax;
    }
    pack.push(text);
    left -= pieces.length;
  });
  return packs;
}

/** The vector of a text, of length 1, and what was asked for of its tokens. */
export interface TextEmbedding {
  readonly vector: Float32Array;
  readonly tokens?: Float32Array;
  readonly tokenSigns?: Uint8Array;
}

/** Yields after each few milliseconds of work. */
export function* runNetwork(
  workspace: Workspace,
  texts: readonly (readonly number[])[],
  output: TokenOutput = 'none',
): Generator<void, readonly TextEmbedding[]> {
  const { network } = workspace;
  const { exports } = network.wasm;
  const starts: number[] = [];
  let count = 0;
  for (const pieces of texts) {
    starts.push(count);
    for (const [place, piece] of pieces.entries()) lookUp(workspace, piece, place, count + place);
    count += pieces.length;
  }
  if (count > shape.rowsMax) throw new Error('bug: more rows than the workspace has');
  // The multiplication takes four rows at a time; the rows after the last are never read.
  const padded = Math.ceil(count / 4) * 4;
  exports.normalise(workspace.rows, network.norm.gain, network.norm.bias, padded, shape.width);
  for (const layer of network.layers) {
    yield* runLayer(workspace, layer, padded, (attend) => {
      for (const [text, pieces] of texts.entries()) attend(starts[text]!, pieces.length);
    });
  }
  return texts.map((pieces, text) => {
    const at = workspace.rows + starts[text]! * shape.width * 4;
    exports.pool(at, workspace.out, pieces.length, shape.width);
    const vector = new Float32Array(network.wasm.buffer(), workspace.out, shape.width).slice();
    const rows = new Float32Array(network.wasm.buffer(), at, pieces.length * shape.width);
    if (output === 'weighted') return { vector, tokens: weighTokens(rows, pieces) };
    return output === 'signs' ? { vector, tokenSigns: signsOf(rows) } : { vector };
  });
}

function lookUp({ network, rows }: Workspace, piece: number, place: number, row: number): void {
  const { words, positions, wasm } = network;
  const scale = new Float32Array(wasm.buffer(), words.scales + piece * 4, 1)[0]!;
  const word = words.weights + piece * shape.width;
  wasm.exports.lookUp(word, scale, positions + place * shape.width * 4, rows + row * shape.width * 4, shape.width);
}

function multiply(
  workspace: Workspace,
  from: number,
  linear: Linear,
  out: number,
  rows: number,
  isAdded: boolean,
): void {
  const { exports } = workspace.network.wasm;
  const { weights, scales, bias, outputs, inputs } = linear;
  exports.quantise(from, workspace.rounded, workspace.scales, rows, inputs);
  exports.multiply(
    workspace.rounded,
    workspace.scales,
    weights,
    scales,
    bias,
    out,
    rows,
    outputs,
    inputs,
    isAdded ? 1 : 0,
  );
}

function* runLayer(
  workspace: Workspace,
  layer: Layer,
  rows: number,
  eachText: (attend: (start: number, count: number) => void) => void,
): Generator<void, void> {
  const { width, inner, heads } = shape;
  const { exports } = workspace.network.wasm;
  multiply(workspace, workspace.rows, layer.mix, workspace.mixed, rows, false);
  yield;
  eachText((start, count) =>
    exports.attend(
      workspace.mixed + start * width * 12,
      workspace.context + start * width * 4,
      workspace.attention,
      count,
      heads,
    ),
  );
  yield;
  multiply(workspace, workspace.context, layer.join, workspace.rows, rows, true);
  exports.normalise(workspace.rows, layer.joinNorm.gain, layer.joinNorm.bias, rows, width);
  yield;
  multiply(workspace, workspace.rows, layer.grow, workspace.mixed, rows, false);
  exports.activate(workspace.mixed, rows * inner);
  yield;
  multiply(workspace, workspace.mixed, layer.shrink, workspace.rows, rows, true);
  exports.normalise(workspace.rows, layer.shrinkNorm.gain, layer.shrinkNorm.bias, rows, width);
  yield;
}
