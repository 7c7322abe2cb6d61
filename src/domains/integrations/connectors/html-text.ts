import { decodeEntities, readTags } from '#kernel/markup/html-tags.ts';

/** Each ends a paragraph. */
const blockTags: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'dd', 'div', 'dl', 'dt', 'figcaption', 'figure', 'footer', 'h1'],
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'li', 'main', 'ol', 'p', 'pre', 'section', 'table', 'tr', 'ul'],
]);

/** The text of a piece of HTML, such as a post or an article, with its paragraphs and line breaks. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  let isLineStart = true;
  let isPreformatted = false;
  for (const token of readTags(html)) {
    if ('text' in token) {
      const shown = isPreformatted ? token.text : token.text.replaceAll(/[ \t\r\n\f]+/g, ' ');
      const text = decodeEntities(isLineStart && !isPreformatted ? shown.trimStart() : shown);
      if (text !== '') isLineStart = false;
      parts.push(text);
      continue;
    }
    if (token.name === 'pre') isPreformatted = !token.isEnd;
    const end = token.name === 'br' ? '\n' : token.isEnd && blockTags.has(token.name) ? '\n\n' : '';
    if (end !== '') isLineStart = true;
    parts.push(end);
  }
  return parts
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
