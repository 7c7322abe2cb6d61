/** The token ids that the model was trained with. */
const unknown = 100;
const begin = 101;
const end = 102;
/** The model does not know longer words. */
const wordLettersMost = 100;
/** Words whose pieces are cached. */
const rememberedMost = 20_000;
/** More characters than any model reads, even with one character per piece. */
const charsPerPieceMost = 64;

const controls = /[^\P{C}\t\n\r]|\uFFFD/gu;
const ideographs =
  /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;
const marks = /\p{Mn}/gu;
const words = /[\p{P}$+<=>^`|~]|[^\p{P}$+<=>^`|~\p{White_Space}]+/gu;

/** Like BERT's uncased vocabulary: no controls or accents, lower case; ideographs and punctuation are separate. */
export function toWords(text: string): readonly string[] {
  const plain = text
    .replace(controls, '')
    .replace(ideographs, ' $& ')
    .normalize('NFD')
    .replace(marks, '')
    .toLowerCase();
  return plain.match(words) ?? [];
}

/** Cuts a text into the ids of its word pieces, with start and end markers; at most `max`. */
export type WordPieces = (text: string, countMax: number) => readonly number[];

/** Greedy: the longest known piece, then the longest of the rest. */
export function createWordPieces(vocabulary: ReadonlyMap<string, number>): WordPieces {
  const remembered = new Map<string, readonly number[]>();

  function cut(word: string): readonly number[] {
    const letters = [...word];
    if (letters.length > wordLettersMost) return [unknown];
    const pieces: number[] = [];
    for (let from = 0; from < letters.length; ) {
      let to = letters.length;
      let piece: number | undefined;
      for (; to > from && piece === undefined; to -= 1) {
        piece = vocabulary.get((from === 0 ? '' : '##') + letters.slice(from, to).join(''));
      }
      if (piece === undefined) return [unknown];
      pieces.push(piece);
      from = to + 1;
    }
    return pieces;
  }

  function piecesOf(word: string): readonly number[] {
    const whole = vocabulary.get(word);
    if (whole !== undefined) return [whole];
    let pieces = remembered.get(word);
    if (pieces === undefined) {
      pieces = cut(word);
      const [oldest] = remembered.keys();
      if (remembered.size >= rememberedMost) remembered.delete(oldest!);
      remembered.set(word, pieces);
    }
    return pieces;
  }

  return (text, countMax) => {
    const pieces = [begin];
    for (const word of toWords(text.slice(0, countMax * charsPerPieceMost))) {
      pieces.push(...piecesOf(word));
      if (pieces.length >= countMax - 1) break;
    }
    pieces.length = Math.min(pieces.length, countMax - 1);
    pieces.push(end);
    return pieces;
  };
}
