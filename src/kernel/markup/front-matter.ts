/** Front matter begins and ends with a line of dashes or another mark. A text without it is all body. */
export function cutFrontMatter(text: string, mark = '---') {
  const lines = text.split('\n');
  const end = lines[0]?.trimEnd() === mark ? lines.findIndex((line, i) => i > 0 && line.trimEnd() === mark) : -1;
  if (end === -1) return { frontMatter: undefined, body: text };
  return { frontMatter: lines.slice(1, end), body: lines.slice(end + 1).join('\n') };
}
