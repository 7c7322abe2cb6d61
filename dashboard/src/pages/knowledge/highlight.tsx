const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** A text with the given words marked, whatever their case. */
export function Highlight({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const wanted = new Set(words.map((word) => word.toLowerCase()));
  const parts: { readonly text: string; readonly isMarked: boolean; readonly at: number }[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    const isMarked = isWordLike === true && wanted.has(segment.toLowerCase());
    const last = parts.at(-1);
    if (last !== undefined && last.isMarked === isMarked && !isMarked) {
      parts[parts.length - 1] = { ...last, text: last.text + segment };
    } else parts.push({ text: segment, isMarked, at: index });
  }
  return parts.map((part) => (part.isMarked ? <mark key={part.at}>{part.text}</mark> : part.text));
}
