import { truthLimits } from '../../truth-limits.ts';
import type { ExtractedText } from './extracted-text.ts';
import { createBoundedText } from './extracted-text.ts';

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
 * The end tags of elements whose content is not visible text. Patterns instead of a copy of the text in lower case, which
 * would double the memory of a large file.
 */
const endTags: Readonly<Record<string, RegExp>> = {
  script: /<\/script/gi,
  style: /<\/style/gi,
  template: /<\/template/gi,
  noscript: /<\/noscript/gi,
  svg: /<\/svg/gi,
  title: /<\/title/gi,
};

function findEndTag(html: string, name: string, from: number): number {
  const pattern = endTags[name]!;
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? -1;
}

/** A line that is longer than the text may be; blanks and references make it shorter. */
const lineChars = 4 * truthLimits.textChars;

/**
 * A single pass without a tree: the cost does not depend on the nesting. Unclosed tags are handled as a browser would
 * show them.
 */
export function htmlToText(html: string): ExtractedText {
  const text = createBoundedText();
  let line = '';
  // Not read from the line, which would be copied for each cell.
  let isBlank = true;
  let isCut = false;
  let title: string | undefined;
  let at = 0;

  function addText(from: number, to: number): void {
    const end = Math.min(to, from + lineChars);
    if (end < to) isCut = true;
    const part = html.slice(from, end);
    line += part;
    if (isBlank && part.trim() !== '') isBlank = false;
  }

  function endLine(): boolean {
    const bare = decodeCharacters(line)
      .replaceAll(/[ \n\r\f]+/g, ' ')
      .trim();
    line = '';
    isBlank = true;
    return bare === '' || text.add(bare);
  }

  /** The index after the end tag; the end of the text if there is none. */
  function behindEnd(name: string, from: number): number {
    const end = findEndTag(html, name, from);
    if (name === 'title' && title === undefined && end !== -1)
      title = decodeCharacters(html.slice(from, Math.min(end, from + lineChars)))
        .replaceAll(/\s+/g, ' ')
        .trim();
    const close = end === -1 ? -1 : html.indexOf('>', end);
    return close === -1 ? html.length : close + 1;
  }

  while (at < html.length) {
    const open = html.indexOf('<', at);
    addText(at, open === -1 ? html.length : open);
    if (open === -1) break;
    if (line.length > lineChars && !endLine()) break;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end === -1 ? html.length : end + 3;
      continue;
    }
    const name = tagName(html, open);
    const isTag = name !== '' || html[open + 1] === '!' || html[open + 1] === '?';
    const end = isTag ? tagEnd(html, open) : -1;
    if (end === -1) {
      addText(open, open + 1);
      at = open + 1;
      // No tag ends any more: treat the rest as text instead of scanning it again for each `<`.
      if (isTag) {
        addText(at, html.length);
        break;
      }
      continue;
    }
    at = end + 1;
    if (blockTags.has(name) && !endLine()) break;
    if (cellTags.has(name) && html[open + 1] !== '/' && !isBlank) line += '\t';
    if (Object.hasOwn(endTags, name) && html[open + 1] !== '/') at = behindEnd(name, at);
  }
  endLine();
  const extracted = text.end();
  return { ...extracted, isCut: isCut || extracted.isCut, ...(title === undefined || title === '' ? {} : { title }) };
}
