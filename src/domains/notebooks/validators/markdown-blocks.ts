/** Consecutive lines. Container marks (`>`, list markers) are replaced by spaces, so columns stay the same. */
export interface Block {
  readonly kind: 'paragraph' | 'heading';
  /** Counts from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

export interface Blocks {
  readonly blocks: readonly Block[];
  /** The fence that is still open at the end of the text. */
  readonly openFence: { readonly line: number; readonly column: number; readonly fence: string } | undefined;
}

interface Fence {
  readonly line: number;
  readonly column: number;
  readonly fence: string;
  /** Of the containers around it: the fence ends with them. */
  readonly quotesCount: number;
  readonly indent: number;
}

interface Line {
  readonly quotesCount: number;
  /** With spaces in place of the quote marks. */
  readonly text: string;
  readonly indent: number;
  readonly content: string;
}

const fenceMark = /^(?:`{3,}|~{3,})/;
const listMark = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/;
const headingMark = /^#{1,6}(?:[ \t]|$)/;
/** Also matches the underline of a heading, which ends a paragraph as well. */
const ruleMark = /^(?:[-_*=][ \t]*)+$/;
/** HTML blocks with an end mark of their own; other HTML blocks end at a blank line. */
const longHtml: readonly (readonly [RegExp, RegExp])[] = [
  [/^<!--/, /-->/],
  [/^<(?:script|pre|style|textarea)\b/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<\?/, /\?>/],
];
const shortHtml = /^<\/?[a-z][a-z0-9-]*(?:[\s/>]|$)/i;

const indentOf = (text: string): number => {
  let columns = 0;
  for (const char of text) {
    if (char === ' ') columns += 1;
    else if (char === '\t') columns += 4 - (columns % 4);
    else break;
  }
  return columns;
};

function toLine(raw: string): Line {
  let at = 0;
  let quotesCount = 0;
  for (;;) {
    const spaces = at + (/^ {0,3}/.exec(raw.slice(at, at + 3))?.[0].length ?? 0);
    if (raw[spaces] !== '>') break;
    at = spaces + 1;
    quotesCount += 1;
  }
  const text = at === 0 ? raw : ' '.repeat(at) + raw.slice(at);
  const content = text.trimStart();
  // A space after the quote mark belongs to the mark.
  const indent = indentOf(text.slice(at)) - (quotesCount > 0 && raw[at] === ' ' ? 1 : 0);
  return { quotesCount, text, indent, content };
}

/** The index of the first line after the front matter. */
function skipFrontMatter(lines: readonly string[]): number {
  if (lines[0] !== '---') return 0;
  const end = lines.indexOf('---', 1);
  return end === -1 ? 0 : end + 1;
}

/** Separates prose from code and HTML in one pass over the lines; it builds no tree. */
export function readBlocks(page: string): Blocks {
  const lines = page.split(/\r\n|\r|\n/);
  const blocks: Block[] = [];
  let paragraph: { line: number; lines: string[] } | undefined;
  let fence: Fence | undefined;
  let htmlEnd: RegExp | 'blank' | undefined;
  /** The indents of the open list items, outermost first. */
  const items: number[] = [];
  let isAfterBlank = true;

  function endParagraph(): void {
    if (paragraph !== undefined) blocks.push({ kind: 'paragraph', ...paragraph });
    paragraph = undefined;
  }

  const leaveItems = (indent: number): void => {
    while (items.length > 0 && indent < items.at(-1)!) items.pop();
  };

  /** True if the line belongs to the fence. */
  function stayInFence({ quotesCount, indent, content }: Line): boolean {
    if (fence === undefined) return false;
    const isOutside = quotesCount < fence.quotesCount || (content !== '' && indent < fence.indent);
    const mark = fenceMark.exec(content)?.[0];
    const isClosing = mark?.startsWith(fence.fence) === true && content.trimEnd() === mark;
    if (isOutside || isClosing) fence = undefined;
    return !isOutside;
  }

  function stayInHtml({ content }: Line): boolean {
    if (htmlEnd === undefined) return false;
    if (htmlEnd === 'blank' ? content === '' : htmlEnd.test(content)) htmlEnd = undefined;
    return true;
  }

  function openHtml(content: string): boolean {
    const long = longHtml.find(([start]) => start.test(content));
    if (long === undefined && !(paragraph === undefined && shortHtml.test(content))) return false;
    if (long?.[1].test(content) === true) return true;
    htmlEnd = long?.[1] ?? 'blank';
    return true;
  }

  function readLine(raw: string, number: number): void {
    const line = toLine(raw);
    if (stayInFence(line) || stayInHtml(line)) return;
    if (line.content === '') {
      endParagraph();
      isAfterBlank = true;
      return;
    }
    const wasAfterBlank = isAfterBlank;
    isAfterBlank = false;
    let { text, indent, content } = line;
    // A lazy continuation line stays in its list item; after a blank line, only an indented line does.
    if (paragraph === undefined) leaveItems(indent);
    if (indent >= (items.at(-1) ?? 0) + 4 && paragraph === undefined) {
      isAfterBlank = wasAfterBlank;
      return;
    }
    for (let mark = listMark.exec(content); mark !== null && !ruleMark.test(content); mark = listMark.exec(content)) {
      endParagraph();
      leaveItems(indent);
      const rest = content.slice(mark[0].length);
      const gap = indentOf(rest);
      indent += mark[0].length + (gap > 4 || rest.trim() === '' ? 1 : gap);
      items.push(indent);
      text = ' '.repeat(text.length - rest.length) + rest;
      content = rest.trimStart();
      if (content === '') return;
    }
    const opening = fenceMark.exec(content)?.[0];
    if (opening !== undefined && !(opening.startsWith('`') && content.slice(opening.length).includes('`'))) {
      endParagraph();
      leaveItems(indent);
      const column = text.length - content.length + 1;
      fence = { line: number, column, fence: opening, quotesCount: line.quotesCount, indent: items.at(-1) ?? 0 };
    } else if (headingMark.test(content)) {
      endParagraph();
      blocks.push({ kind: 'heading', line: number, lines: [text] });
    } else if (ruleMark.test(content)) endParagraph();
    else if (openHtml(content)) endParagraph();
    else {
      paragraph ??= { line: number, lines: [] };
      paragraph.lines.push(text);
    }
  }

  for (let index = skipFrontMatter(lines); index < lines.length; index += 1) readLine(lines[index]!, index + 1);
  endParagraph();
  // A fence inside a quotation or list item ends with it.
  const isOpen = fence !== undefined && fence.quotesCount === 0 && fence.indent === 0;
  return { blocks, openFence: isOpen ? fence : undefined };
}
