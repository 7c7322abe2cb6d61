/** The paragraph that begins with `**Cause:**`, without the label. Throws an Error when there is none. */
export function labelled(markdown: string, label: string): string {
  const mark = `**${label}:**`;
  const lines = markdown.split('\n');
  const first = lines.findIndex((line) => line.startsWith(mark));
  if (first === -1) throw new Error(`it has no paragraph that begins with ${mark}`);
  const end = lines.findIndex((line, i) => i > first && line.trim() === '');
  return lines
    .slice(first, end === -1 ? lines.length : end)
    .join(' ')
    .slice(mark.length)
    .trim();
}
