const ellipsis = '…';

/** The beginning of a text in one line, cut where a word ends. */
export function cutBeginning(text: string, chars: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= chars) return line;
  const blank = line.lastIndexOf(' ', chars - ellipsis.length);
  const end = blank > chars / 2 ? blank : chars - ellipsis.length;
  return (
    line
      .slice(0, end)
      .toWellFormed()
      .replace(/\uFFFD$/, '') + ellipsis
  );
}
