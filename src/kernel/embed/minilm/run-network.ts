import type { Layer, Linear, Network } from './load-network.ts';
import { shape } from './tensors.ts';

/** Room for the rows of one run. Two runs may be under way at a time when each has a desk of its own. */
export interface Desk {
  readonly network: Network;
  /** What flows through the network; what attention works on, and later what the inner layer does; rounded; scales. */
  readonly rows: number;
  readonly mixed: number;
  readonly context: number;
  readonly rounded: number;
  readonly scales: number;
  readonly attention: number;
  readonly out: number;
}

export function createDesk(network: Network): Desk {
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

/** Texts that fit on the desk together: their rows stand one behind the other, none is filled up. */
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

/** One vector a text, of length 1. Rests between the layers, so that its thread can hear of something more urgent. */
export function* runNetwork(
  desk: Desk,
  texts: readonly (readonly number[])[],
): Generator<void, readonly Float32Array[]> {
  const { network } = desk;
  const { exports } = network.wasm;
  const starts: number[] = [];
  let count = 0;
  for (const pieces of texts) {
    starts.push(count);
    for (const [place, piece] of pieces.entries()) lookUp(desk, piece, place, count + place);
    count += pieces.length;
  }
  if (count > shape.rowsMax) throw new Error('bug: more rows than the desk has');
  // The multiplication takes four rows at a time; what stands in those beyond the last is never looked at.
  const padded = Math.ceil(count / 4) * 4;
  exports.normalise(desk.rows, network.norm.gain, network.norm.bias, padded, shape.width);
  for (const layer of network.layers) {
    runLayer(desk, layer, padded, (attend) => {
      for (const [text, pieces] of texts.entries()) attend(starts[text]!, pieces.length);
    });
    yield;
  }
  return texts.map((pieces, text) => {
    exports.pool(desk.rows + starts[text]! * shape.width * 4, desk.out, pieces.length, shape.width);
    return new Float32Array(network.wasm.buffer(), desk.out, shape.width).slice();
  });
}

function lookUp({ network, rows }: Desk, piece: number, place: number, row: number): void {
  const { words, positions, wasm } = network;
  const scale = new Float32Array(wasm.buffer(), words.scales + piece * 4, 1)[0]!;
  const word = words.weights + piece * shape.width;
  wasm.exports.lookUp(word, scale, positions + place * shape.width * 4, rows + row * shape.width * 4, shape.width);
}

function multiply(desk: Desk, from: number, linear: Linear, out: number, rows: number, isAdded: boolean): void {
  const { exports } = desk.network.wasm;
  const { weights, scales, bias, outputs, inputs } = linear;
  exports.quantise(from, desk.rounded, desk.scales, rows, inputs);
  exports.multiply(desk.rounded, desk.scales, weights, scales, bias, out, rows, outputs, inputs, isAdded ? 1 : 0);
}

function runLayer(
  desk: Desk,
  layer: Layer,
  rows: number,
  eachText: (attend: (start: number, count: number) => void) => void,
): void {
  const { width, inner, heads } = shape;
  const { exports } = desk.network.wasm;
  multiply(desk, desk.rows, layer.mix, desk.mixed, rows, false);
  eachText((start, count) =>
    exports.attend(desk.mixed + start * width * 12, desk.context + start * width * 4, desk.attention, count, heads),
  );
  multiply(desk, desk.context, layer.join, desk.rows, rows, true);
  exports.normalise(desk.rows, layer.joinNorm.gain, layer.joinNorm.bias, rows, width);
  multiply(desk, desk.rows, layer.grow, desk.mixed, rows, false);
  exports.activate(desk.mixed, rows * inner);
  multiply(desk, desk.mixed, layer.shrink, desk.rows, rows, true);
  exports.normalise(desk.rows, layer.shrinkNorm.gain, layer.shrinkNorm.bias, rows, width);
}
