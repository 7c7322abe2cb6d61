/** A Markdown text without its HTML comments; one that is never closed goes to the end. */
export function cutComments(text: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('<!--', at);
    if (open === -1) return kept + text.slice(at);
    kept += text.slice(at, open);
    const close = text.indexOf('-->', open + 4);
    if (close === -1) return kept;
    at = close + 3;
  }
}
