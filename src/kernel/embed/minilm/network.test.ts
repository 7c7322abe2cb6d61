import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../hash/hash.ts';
import { packSigns } from '../token-signs.ts';
import { embedTexts, loadModel, type Model } from './embed-task.ts';
import { findModelFiles } from './open-minilm.ts';
import { embedPlainly } from './reference.fixture.ts';
import { createWorkspace, packTexts } from './run-network.ts';
import { openTensors, shape } from './tensors.ts';

const files = await findModelFiles();

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, i) => sum + x * b[i]!, 0);

describe.skipIf(files === undefined)('the network', () => {
  const model: Model | undefined = files === undefined ? undefined : loadModel(files);
  const embed = async (texts: readonly string[], by = model!) =>
    (await embedTexts(by, texts, undefined)).map(({ vector }) => vector);
  const texts = [
    'That is a happy person',
    'That is a happy dog',
    'That is a very happy person',
    'Today is a sunny day',
    'one',
    '',
    'A rather longer text that tells of committees, budgets and the migration of old services. '.repeat(12),
  ];

  test('agrees with a plain computation from the same weights', async () => {
    const text = 'Happy dogs everywhere';
    const [vector] = await embed([text]);
    const plain = embedPlainly(files!.weights, model!.toPieces(text, 256));
    expect(cosine(vector!, plain)).toBeGreaterThan(0.999);
  });

  test('gives the similarities that the authors of the model published', async () => {
    const [person, dog, veryHappy, sunny] = await embed(texts);
    expect(cosine(person!, dog!)).toBeCloseTo(0.695, 2);
    expect(cosine(person!, veryHappy!)).toBeCloseTo(0.943, 2);
    expect(cosine(person!, sunny!)).toBeCloseTo(0.257, 2);
  });

  test('gives each text a vector of length 1, even one without words', async () => {
    for (const vector of await embed(texts)) {
      expect(vector).toHaveLength(shape.width);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  test('gives the tokens of a text without its markers, and the same vector as without them', async () => {
    const [plain] = await embed(['happy dogs of Japan']);
    const [query] = await embedTexts(model!, ['happy dogs of Japan'], undefined, 'weighted');
    const [document] = await embedTexts(model!, ['happy dogs of Japan'], undefined, 'signs');
    expect(query!.vector).toEqual(plain);
    expect(document!.vector).toEqual(plain);
    expect(query!.tokens).toHaveLength(4 * shape.width);
    expect(document!.tokenSigns).toHaveLength((4 * shape.width) / 8);
    expect(packSigns(query!.tokens!, shape.width)).toEqual(document!.tokenSigns);
    const lengths = [0, 1, 2, 3].map((i) =>
      Math.hypot(...query!.tokens!.subarray(i * shape.width, (i + 1) * shape.width)),
    );
    expect(lengths.reduce((sum, length) => sum + length)).toBeCloseTo(1, 5);
    // The rarest word weighs most, the most frequent one least.
    expect(lengths.indexOf(Math.max(...lengths))).toBe(1);
    expect(lengths.indexOf(Math.min(...lengths))).toBe(2);
  });

  test('gives no token for punctuation of a query, and none for an empty text', async () => {
    const weighted = await embedTexts(model!, ['?', '', 'who?'], undefined, 'weighted');
    expect(weighted.map(({ tokens }) => tokens!.length / shape.width)).toEqual([0, 0, 1]);
    const [, empty] = await embedTexts(model!, ['?', ''], undefined, 'signs');
    expect(empty!.tokenSigns).toHaveLength(0);
  });

  test('gives the same bytes alone, in a batch, in another order and in another workspace', async () => {
    const together = await embed(texts);
    const backwards = (await embed(texts.toReversed())).toReversed();
    const alone: Float32Array[] = [];
    const other = { ...model!, workspace: createWorkspace(model!.workspace.network) };
    for (const text of texts) alone.push(...(await embed([text], other)));
    expect(backwards).toEqual(together);
    expect(alone).toEqual(together);
  });

  test('gives the same bytes everywhere: changed arithmetic needs a new embedder id', async () => {
    const vectors = await embed(texts);
    const bytes = Buffer.concat(vectors.map(({ buffer }) => Buffer.from(buffer)));
    expect(sha256Hex(bytes)).toMatchInlineSnapshot(
      `"8d767c495ed230d0b9b1cd07011c66adfc30fbdc61d0d4c3a21063c8c7d56324"`,
    );
  });
});

describe('packing', () => {
  const pieces = (count: number) => Array.from({ length: count }, () => 5);

  test('packs texts into the workspace in order, as long as they fit', () => {
    const packs = packTexts([pieces(200), pieces(56), pieces(1), pieces(256), pieces(100), pieces(100)]);
    expect(packs).toEqual([[0, 1], [2], [3], [4, 5]]);
    expect(packTexts([])).toEqual([]);
  });
});

describe('a weights file', () => {
  test('that is truncated or incomplete is reported', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fourfold-tensors-'));
    const file = join(folder, 'x.safetensors');
    const header = Buffer.from(JSON.stringify({ a: { dtype: 'F16', shape: [4], data_offsets: [0, 8] } }));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    writeFileSync(file, Buffer.concat([length, header, Buffer.alloc(4)]));
    const tensors = openTensors(file);
    expect(() => tensors.find('b')).toThrow('no half-precision weights b');
    const { at, bytes } = tensors.find('a');
    expect(() => tensors.read(at, new Uint8Array(bytes))).toThrow('is truncated');
    tensors.close();
    await rm(folder, { recursive: true });
  });
});
