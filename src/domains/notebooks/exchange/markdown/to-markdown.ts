import { renderFence } from '#kernel/markup/fences.ts';
import { isEmpty, type JsonMap, without } from '../json-map.ts';
import type { PortableCell, PortablePad } from '../portable-pad.ts';
import { renderFrontMatter } from './front-matter.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Fields that a reader looks for stand by themselves; anything else, whatever its name, is one line of JSON. */
function toFrontMatter({ scratch_id, metadata }: PortablePad): JsonMap {
  const shown = ['title', 'description', 'summary', 'namespace'].filter((key) => isText(metadata[key]));
  if (isTexts(metadata['tags'])) shown.push('tags');
  const rest = without(metadata, ...shown);
  return {
    ...(scratch_id === undefined ? {} : { scratch_id }),
    ...Object.fromEntries(shown.map((key) => [key, metadata[key]])),
    ...(isEmpty(rest) ? {} : { metadata: rest }),
  };
}

/** The info string of a fence ends at a backtick, so that none may stand in it. */
function renderCell({ language, content, ...attributes }: PortableCell): string {
  const json = JSON.stringify(attributes).replaceAll('`', '\\u0060');
  return renderFence(json === '{}' ? language : `${language} ${json}`, content);
}

/** A pad as a Markdown file: front matter, then each cell as a fenced block with its particulars behind the language. */
export const toMarkdown = (pad: PortablePad): string =>
  [renderFrontMatter(toFrontMatter(pad)), ...pad.cells.map(renderCell)].join('\n');
