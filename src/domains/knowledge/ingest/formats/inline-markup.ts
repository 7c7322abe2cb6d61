import { decodeCharacters } from './characters.ts';

const images = /!\[([^\][]*)\]\([^()]*\)/g;
const links = /\[([^\][]*)\](?:\([^()]*\)|\[[^\][]*\])/g;
const tags = /(?<!\\)<\/?[A-Za-z][^<>]*>/g;
const escapes = /\\([!-/:-@[-`{-~])/g;

export interface Title {
  readonly title: string;
  readonly anchor?: string;
}

/** Prose without marks of emphasis, links and tags. */
const toPlain = (markdown: string): string =>
  markdown
    .replaceAll(images, '$1')
    .replaceAll(links, '$1')
    .replaceAll(/\*\*|__(?=\S)|(?<=\S)__/g, '')
    .replaceAll(tags, '')
    .replaceAll(escapes, '$1');

/** `Title {#name}` */
function splitAnchor(markdown: string): { readonly text: string; readonly anchor: string | undefined } {
  const text = markdown.trimEnd();
  const at = text.endsWith('}') ? text.lastIndexOf('{#') : -1;
  const anchor = at === -1 ? '' : text.slice(at + 2, -1);
  return /^[\w:.-]+$/.test(anchor) ? { text: text.slice(0, at), anchor } : { text, anchor: undefined };
}

/** A heading as a reader sees it; what stands between backticks stays as it is. `{#name}` at its end is its anchor. */
export function toTitle(markdown: string): Title {
  const { text, anchor } = splitAnchor(markdown);
  const title = text
    .split('`')
    .map((part, i) => (i % 2 === 1 ? part : decodeCharacters(toPlain(part))))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return anchor === undefined ? { title } : { title, anchor };
}
