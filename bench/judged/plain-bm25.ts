export interface PlainDocument {
  readonly title: string;
  readonly text: string;
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** The baseline: textbook BM25 over whole words of title and text, without stems, fields or identifiers. */
export function createPlainBm25(documents: readonly PlainDocument[], { k1 = 1.5, b = 0.75, hasTitle = true } = {}) {
  const counted = documents.map(({ title, text }) => {
    const counts = new Map<string, number>();
    const words = wordsOf(hasTitle ? `${title} ${text}` : text);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { title, counts, length: words.length };
  });
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const holders = new Map<string, number>();
  for (const { counts } of counted) for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);

  return (query: string, limit: number): readonly string[] => {
    const words = new Set(wordsOf(query));
    const scored = counted.map(({ title, counts, length }) => {
      let score = 0;
      for (const word of words) {
        const count = counts.get(word) ?? 0;
        if (count === 0) continue;
        const held = holders.get(word) ?? 0;
        const weight = Math.log(1 + (counted.length - held + 0.5) / (held + 0.5));
        score += (weight * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / averageLength));
      }
      return { title, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .toSorted((x, y) => y.score - x.score)
      .slice(0, limit)
      .map(({ title }) => title);
  };
}
