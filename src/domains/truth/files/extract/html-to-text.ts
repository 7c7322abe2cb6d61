import type { ExtractedText } from './extracted-text.ts';
import { createBoundedText } from './extracted-text.ts';

/** Their content is not visible text. */
const silentTags: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'svg', 'title']);

const blockTags: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'br', 'caption', 'dd', 'div', 'dl', 'dt', 'figure'],
  ...['footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'li', 'main', 'nav', 'ol', 'p'],
  ...['pre', 'section', 'table', 'tbody', 'tfoot', 'thead', 'tr', 'ul'],
]);

const cellTags: ReadonlySet<string> = new Set(['td', 'th']);

/** The names and their characters in the same order. */
const characterNames =
  'amp lt gt quot apos euro pound yen copy reg ndash mdash hellip auml ouml uuml Auml Ouml Uuml szlig eacute egrave agrave ccedil ntilde';
const characters = [...`&<>"'€£¥©®–—…äöüÄÖÜßéèàçñ`];
const namedCharacters: ReadonlyMap<string, string> = new Map([
  ['nbsp', ' '],
  ...characterNames.split(' ').map((name, i) => [name, characters[i]!] as const),
]);

function toCharacter(reference: string, body: string): string {
  if (!body.startsWith('#')) return namedCharacters.get(body) ?? reference;
  const isHex = body[1] === 'x' || body[1] === 'X';
  const code = Number.parseInt(body.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
}

const decodeCharacters = (text: string): string =>
  text.replaceAll(/&(#[xX]?[0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,30});/g, toCharacter);

/** Index of the closing `>` of a tag, ignoring `>` in quotes; -1 if the tag never ends. */
function tagEnd(html: string, at: number): number {
  let quote = '';
  for (let end = at + 1; end < html.length; end += 1) {
    const char = html[end]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '>') return end;
    else if ((char === '"' || char === "'") && html[end - 1] === '=') quote = char;
  }
  return -1;
}

const tagName = (html: string, at: number): string =>
  /^<\/?([A-Za-z][A-Za-z0-9-]{0,30})/.exec(html.slice(at, at + 34))?.[1]?.toLowerCase() ?? '';

/**
 * A single pass without a tree: the cost does not depend on the nesting. Unclosed tags are handled as a browser would
 * show them.
 */
export function htmlToText(html: string): ExtractedText {
  const text = createBoundedText();
  // Only ASCII letters: others may change their length, and with it every index after them.
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let line = '';
  let title: string | undefined;
  let at = 0;

  function endLine(): boolean {
    const bare = decodeCharacters(line)
      .replaceAll(/[ \n\r\f]+/g, ' ')
      .trim();
    line = '';
    return bare === '' || text.add(bare);
  }

  /** The index after the end tag; the end of the text if there is none. */
  function behindEnd(name: string, from: number): number {
    const end = lower.indexOf(`</${name}`, from);
    if (name === 'title' && title === undefined && end !== -1)
      title = decodeCharacters(html.slice(from, end)).replaceAll(/\s+/g, ' ').trim();
    const close = end === -1 ? -1 : html.indexOf('>', end);
    return close === -1 ? html.length : close + 1;
  }

  while (at < html.length) {
    const open = html.indexOf('<', at);
    line += html.slice(at, open === -1 ? html.length : open);
    if (open === -1) break;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end === -1 ? html.length : end + 3;
      continue;
    }
    const name = tagName(html, open);
    const isTag = name !== '' || html[open + 1] === '!' || html[open + 1] === '?';
    const end = isTag ? tagEnd(html, open) : -1;
    if (end === -1) {
      line += '<';
      at = open + 1;
      // No tag ends any more: treat the rest as text instead of scanning it again for each `<`.
      if (isTag) {
        line += html.slice(at);
        break;
      }
      continue;
    }
    at = end + 1;
    if (blockTags.has(name) && !endLine()) break;
    if (cellTags.has(name) && html[open + 1] !== '/' && line.trim() !== '') line += '\t';
    if (silentTags.has(name) && html[open + 1] !== '/') at = behindEnd(name, at);
  }
  endLine();
  return { ...text.end(), ...(title === undefined || title === '' ? {} : { title }) };
}
