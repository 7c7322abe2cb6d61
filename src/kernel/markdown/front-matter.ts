export interface CutPage {
  /** What stands between the two lines of dashes; undefined without them. */
  readonly frontMatter: readonly string[] | undefined;
  readonly body: string;
}

/** A text without front matter is all body. */
export function cutFrontMatter(text: string): CutPage {
  const lines = text.split('\n');
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, i) => i > 0 && line.trimEnd() === '---') : -1;
  if (end === -1) return { frontMatter: undefined, body: text };
  return { frontMatter: lines.slice(1, end), body: lines.slice(end + 1).join('\n') };
}
