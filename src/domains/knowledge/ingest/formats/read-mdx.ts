import { knowledgeLimits } from '../../knowledge-limits.ts';
import {
  closesFence,
  type Fence,
  type MarkdownOutline,
  openFence,
  readMarkdownBlocks,
  splitFrontMatter,
  toOutline,
} from './read-markdown.ts';

const importLine = /^import\s+(?:["'{*]|type\s|[\w$]+\s*,|[\w$]+\s+from\b)/;
const exportLine = /^export\s+(?:const|let|var|function|default|async|class|type|interface|\{|\*)/;

function openedBrackets(line: string): number {
  let depth = 0;
  for (const char of line) {
    if ('{(['.includes(char)) depth += 1;
    else if ('})]'.includes(char)) depth -= 1;
  }
  return depth;
}

/** The position after the tag that begins at `at`, or -1. A `>` in quotes or braces does not end it. */
function tagEnd(text: string, at: number): number {
  if (!/[A-Za-z/>]/.test(text[at + 1] ?? '')) return -1;
  const stop = Math.min(text.length, at + knowledgeLimits.tagChars);
  let quote = '';
  let depth = 0;
  for (let end = at + 1; end < stop; end += 1) {
    const char = text[end]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (depth > 0 || char === '{') {
      if (char === '{') depth += 1;
      else if (char === '}') depth -= 1;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return end + 1;
  }
  return -1;
}

/** The position after the code span that begins at `at`, or -1 if it is not closed. */
function spanEnd(text: string, at: number, length: number): number {
  const close = text.indexOf('`'.repeat(length), at + length);
  return close === -1 || text.slice(at, close).includes('\n\n') ? -1 : close + length;
}

const comment = { open: '{/*', close: '*/}' } as const;

/** Limits the total cost of searching for missing end marks, as a multiple of the text length. */
const budgetRatio = 8;

/** Removes JSX tags and comments, but not the content of the tags or code. */
function dropTags(text: string): string {
  let kept = '';
  let budget = budgetRatio * text.length;
  /** Each failed search uses up the budget. Without budget, the rest is read as plain text. */
  function endOf(at: number, find: () => number, cost: number): number {
    const end = budget > 0 ? find() : -1;
    if (end === -1) budget -= cost;
    return end === -1 ? at : end;
  }
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    let next = at + 1;
    if (char === '<') {
      const end = endOf(next, () => tagEnd(text, at), Math.min(text.length - at, knowledgeLimits.tagChars));
      if (end > next) {
        at = end;
        continue;
      }
    } else if (char === '`') {
      while (text[next] === '`') next += 1;
      const length = next - at;
      const from = at;
      next = endOf(next, () => spanEnd(text, from, length), text.length - at);
    } else if (char === '{' && text.startsWith(comment.open, at)) {
      const close = text.indexOf(comment.close, at);
      at = close === -1 ? text.length : close + comment.close.length;
      continue;
    }
    kept += text.slice(at, next);
    at = next;
  }
  return kept;
}

/** Imports, exports and tags belong to the site, not to the docs. */
function toMarkdown(text: string): string {
  const parts: string[] = [];
  let prose: string[] = [];
  let fence: Fence | undefined;
  let isModule = false;
  let depth = 0;
  function closeProse(): void {
    if (prose.length > 0) parts.push(dropTags(prose.join('\n')));
    prose = [];
  }
  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      parts.push(line);
      if (closesFence(line, fence)) fence = undefined;
      continue;
    }
    if (!isModule && (importLine.test(line) || exportLine.test(line))) {
      isModule = true;
      depth = 0;
    }
    if (isModule) {
      depth += openedBrackets(line);
      if (line.trim() === '' && depth <= 0) isModule = false;
      else continue;
    }
    fence = openFence(line);
    if (fence === undefined) prose.push(line);
    else {
      closeProse();
      parts.push(line);
    }
  }
  closeProse();
  return parts.join('\n');
}

export function readMdx(text: string): MarkdownOutline {
  const { title, url, body } = splitFrontMatter(text);
  return { ...toOutline(title, readMarkdownBlocks(toMarkdown(body))), url };
}
