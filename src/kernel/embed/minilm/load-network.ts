import { loadWasm, type Wasm } from '../wasm.ts';
import { networkBytes } from './network-bytes.ts';
import { openTensors, shape, type Tensors } from './tensors.ts';

/** The exports of network.as. Addresses refer to its memory. */
export interface NetworkExports {
  widen(from: number, to: number, count: number): void;
  quantiseWeights(from: number, to: number, scales: number, rows: number, width: number): void;
  quantise(from: number, to: number, scales: number, rows: number, width: number): void;
  multiply(
    input: number,
    inputScales: number,
    weights: number,
    weightScales: number,
    bias: number,
    out: number,
    rows: number,
    outputs: number,
    width: number,
    isAdded: number,
  ): void;
  lookUp(word: number, scale: number, position: number, row: number, width: number): void;
  normalise(row: number, gain: number, bias: number, rows: number, width: number): void;
  activate(row: number, count: number): void;
  attend(mixed: number, out: number, weights: number, rows: number, heads: number): void;
  pool(from: number, out: number, rows: number, width: number): void;
}

export interface Linear {
  readonly weights: number;
  readonly scales: number;
  readonly bias: number;
  readonly outputs: number;
  readonly inputs: number;
}

export interface Norm {
  readonly gain: number;
  readonly bias: number;
}

export interface Layer {
  readonly mix: Linear;
  readonly join: Linear;
  readonly joinNorm: Norm;
  readonly grow: Linear;
  readonly shrink: Linear;
  readonly shrinkNorm: Norm;
}

/** The weights in memory: 8-bit integers with one scale per output. */
export interface Network {
  readonly wasm: Wasm<NetworkExports>;
  readonly words: { readonly weights: number; readonly scales: number };
  readonly positions: number;
  readonly norm: Norm;
  readonly layers: readonly Layer[];
  /** Allocates memory permanently. */
  take(bytes: number): number;
}

/** Rows that are read and rounded together. */
const sliceRows = 256;

export function loadNetwork(weightsFile: string): Network {
  const wasm = loadWasm<NetworkExports>(networkBytes, 0);
  let used = 1_024;
  let size = 0;

  function take(bytes: number): number {
    const at = used;
    used = Math.ceil((used + bytes) / 64) * 64;
    if (used > size) {
      const more = Math.max(used - size, 4 * 1024 * 1024);
      wasm.grow(more);
      size = wasm.buffer().byteLength;
    }
    return at;
  }

  const tensors = openTensors(weightsFile);
  try {
    const halves = take(sliceRows * shape.inner * 2);
    const floats = take(sliceRows * shape.inner * 4);
    return { wasm, take, ...readNetwork(tensors, { wasm, take, halves, floats }) };
  } finally {
    tensors.close();
  }
}

interface Reading {
  readonly wasm: Wasm<NetworkExports>;
  /** Where a slice of the file goes, and its single-precision numbers. */
  readonly halves: number;
  readonly floats: number;
  take(bytes: number): number;
}

function readNetwork(tensors: Tensors, reading: Reading): Omit<Network, 'wasm' | 'take'> {
  const { wasm, take, halves, floats } = reading;

  /** Single-precision numbers, unchanged. */
  function readFloats(names: readonly string[]): number {
    const found = names.map((name) => tensors.find(name));
    const at = take(found.reduce((sum, { bytes }) => sum + bytes * 2, 0));
    let to = at;
    for (const tensor of found) {
      for (let done = 0; done < tensor.bytes; ) {
        const bytes = Math.min(tensor.bytes - done, sliceRows * shape.inner * 2);
        tensors.read(tensor.at + done, new Uint8Array(wasm.buffer(), halves, bytes));
        wasm.exports.widen(halves, to, bytes / 2);
        to += bytes * 2;
        done += bytes;
      }
    }
    return at;
  }

  /** Stacked matrices, rounded row by row. */
  function readRounded(names: readonly string[], width: number) {
    const found = names.map((name) => tensors.find(name));
    const rows = found.reduce((sum, { bytes }) => sum + bytes / 2 / width, 0);
    const weights = take(rows * width);
    const scales = take(rows * 4);
    let row = 0;
    for (const tensor of found) {
      const end = row + tensor.bytes / 2 / width;
      for (let at = tensor.at; row < end; ) {
        const count = Math.min(end - row, sliceRows);
        tensors.read(at, new Uint8Array(wasm.buffer(), halves, count * width * 2));
        wasm.exports.widen(halves, floats, count * width);
        wasm.exports.quantiseWeights(floats, weights + row * width, scales + row * 4, count, width);
        at += count * width * 2;
        row += count;
      }
    }
    return { weights, scales, rows };
  }

  function readLinear(names: readonly string[], inputs: number): Linear {
    const { weights, scales, rows } = readRounded(
      names.map((name) => `${name}.weight`),
      inputs,
    );
    return { weights, scales, bias: readFloats(names.map((name) => `${name}.bias`)), outputs: rows, inputs };
  }

  const readNorm = (name: string): Norm => ({
    gain: readFloats([`${name}.weight`]),
    bias: readFloats([`${name}.bias`]),
  });

  /** All texts have the first token type, so its row is added to each position once. */
  function readPositions(): number {
    const at = readFloats(['embeddings.position_embeddings.weight']);
    const type = new Float32Array(wasm.buffer(), readFloats(['embeddings.token_type_embeddings.weight']), shape.width);
    const positions = new Float32Array(wasm.buffer(), at, shape.rowsMax * shape.width);
    for (let i = 0; i < positions.length; i += 1) positions[i]! += type[i % shape.width]!;
    return at;
  }

  function readLayer(number: number): Layer {
    const layer = `encoder.layer.${number}`;
    const self = `${layer}.attention.self`;
    return {
      mix: readLinear([`${self}.query`, `${self}.key`, `${self}.value`], shape.width),
      join: readLinear([`${layer}.attention.output.dense`], shape.width),
      joinNorm: readNorm(`${layer}.attention.output.LayerNorm`),
      grow: readLinear([`${layer}.intermediate.dense`], shape.width),
      shrink: readLinear([`${layer}.output.dense`], shape.inner),
      shrinkNorm: readNorm(`${layer}.output.LayerNorm`),
    };
  }

  return {
    words: readRounded(['embeddings.word_embeddings.weight'], shape.width),
    positions: readPositions(),
    norm: readNorm('embeddings.LayerNorm'),
    layers: Array.from({ length: shape.layers }, (_, number) => readLayer(number)),
  };
}
