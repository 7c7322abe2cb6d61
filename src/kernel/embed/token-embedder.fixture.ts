import { createDebugEmbedder, type Embedder } from './embedder.ts';
import { packSigns } from './token-signs.ts';

const width = 64;
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Hashed words, one token per word. */
export function createTokenEmbedder(id = 'debug-tokens-1'): Embedder {
  const debug = createDebugEmbedder();
  const embedOne = async (text: string, signal: AbortSignal) =>
    (await debug.embed([text], { signal, purpose: 'document' }))[0]!;

  async function rowsOf(text: string, signal: AbortSignal): Promise<Float32Array> {
    const words = wordsOf(text);
    const rows = new Float32Array(words.length * width);
    for (const [i, word] of words.entries()) rows.set(await embedOne(word, signal), i * width);
    return rows;
  }

  return {
    ...debug,
    id,
    tokens: {
      async embedQuery(text, signal) {
        const rows = await rowsOf(text, signal);
        return { vector: await embedOne(text, signal), tokens: rows.map((value) => (value * width) / rows.length) };
      },
      embedDocuments: (texts, signal) =>
        Promise.all(
          texts.map(async (text) => ({
            vector: await embedOne(text, signal),
            tokenSigns: packSigns(await rowsOf(text, signal), width),
          })),
        ),
    },
  };
}
