export interface CutPage {
  /** What stands between the two lines; undefined without them. */
  readonly frontMatter: readonly string[] | undefined;
  readonly body: string;
}

/** A text without front matter, which begins and ends with a line of dashes or of another mark, is all body. */
export function cutFrontMatter(text: string, mark = '---'): CutPage {
  const lines = text.split('\n');
  const end = lines[0]?.trimEnd() === mark ? lines.findIndex((line, i) => i > 0 && line.trimEnd() === mark) : -1;
  if (end === -1) return { frontMatter: undefined, body: text };
  return { frontMatter: lines.slice(1, end), body: lines.slice(end + 1).join('\n') };
}
