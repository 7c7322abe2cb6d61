import { openTensors } from './tensors.ts';

/** The same network in double precision, straight from the paper: slow and without rounding. */
export function embedPlainly(weightsFile: string, pieces: readonly number[]): readonly number[] {
  const tensors = openTensors(weightsFile);
  const width = 384;

  function toNumber(half: number): number {
    const exponent = (half >> 10) & 31;
    const size = exponent === 0 ? (half & 1023) * 2 ** -24 : (1 + (half & 1023) / 1024) * 2 ** (exponent - 15);
    return half & 0x8000 ? -size : size;
  }

  function read(name: string, from = 0, count?: number): Float64Array {
    const { at, bytes } = tensors.find(name);
    const halves = new Uint16Array(count ?? bytes / 2);
    tensors.read(at + from * 2, new Uint8Array(halves.buffer));
    return Float64Array.from(halves, toNumber);
  }

  function linear(rows: readonly Float64Array[], name: string): Float64Array[] {
    const weights = read(`${name}.weight`);
    const bias = read(`${name}.bias`);
    return rows.map((row) =>
      bias.map((start, n) => {
        let sum = start;
        for (let k = 0; k < row.length; k += 1) sum += row[k]! * weights[n * row.length + k]!;
        return sum;
      }),
    );
  }

  function norm(rows: readonly Float64Array[], name: string): Float64Array[] {
    const gain = read(`${name}.weight`);
    const bias = read(`${name}.bias`);
    return rows.map((row) => {
      const mean = row.reduce((a, b) => a + b) / width;
      const spread = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / width + 1e-12);
      return row.map((x, k) => ((x - mean) / spread) * gain[k]! + bias[k]!);
    });
  }

  const add = (a: readonly Float64Array[], b: readonly Float64Array[]) =>
    a.map((row, i) => row.map((x, k) => x + b[i]![k]!));

  /** erf by its Taylor series, which is exact where the activation is not flat. */
  function erf(x: number): number {
    if (Math.abs(x) > 4) return Math.sign(x);
    let sum = 0;
    let term = x;
    for (let n = 0; Math.abs(term) > 1e-12 || n < 3; n += 1) {
      sum += term / (2 * n + 1);
      term *= -(x * x) / (n + 1);
    }
    return (2 / Math.sqrt(Math.PI)) * sum;
  }

  function attend(rows: readonly Float64Array[], self: string): Float64Array[] {
    const [q, k, v] = ['query', 'key', 'value'].map((name) => linear(rows, `${self}.${name}`));
    return rows.map((_, i) => {
      const out = new Float64Array(width);
      for (let head = 0; head < width; head += 32) {
        const scores = rows.map((__, j) => {
          let sum = 0;
          for (let d = head; d < head + 32; d += 1) sum += q![i]![d]! * k![j]![d]!;
          return Math.exp(sum / Math.sqrt(32));
        });
        const total = scores.reduce((a, b) => a + b);
        for (let d = head; d < head + 32; d += 1) {
          out[d] = scores.reduce((sum, score, j) => sum + (score / total) * v![j]![d]!, 0);
        }
      }
      return out;
    });
  }

  const type = read('embeddings.token_type_embeddings.weight', 0, width);
  let rows: Float64Array[] = pieces.map((piece, place) => {
    const word = read('embeddings.word_embeddings.weight', piece * width, width);
    const position = read('embeddings.position_embeddings.weight', place * width, width);
    return word.map((x, d) => x + position[d]! + type[d]!);
  });
  rows = norm(rows, 'embeddings.LayerNorm');
  for (let number = 0; number < 6; number += 1) {
    const layer = `encoder.layer.${number}`;
    const attended = linear(attend(rows, `${layer}.attention.self`), `${layer}.attention.output.dense`);
    rows = norm(add(rows, attended), `${layer}.attention.output.LayerNorm`);
    const inner = linear(rows, `${layer}.intermediate.dense`).map((row) =>
      row.map((x) => (x / 2) * (1 + erf(x / Math.SQRT2))),
    );
    rows = norm(add(rows, linear(inner, `${layer}.output.dense`)), `${layer}.output.LayerNorm`);
  }
  tensors.close();
  const sum = rows.reduce((a, b) => a.map((x, d) => x + b[d]!));
  const length = Math.hypot(...sum);
  return Array.from(sum, (x) => x / length);
}
