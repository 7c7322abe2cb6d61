import { parse } from 'yaml';
import { isObject } from '#kernel/json/is-object.ts';
import { renderFence, splitFences } from '#kernel/markup/fences.ts';
import { cutFrontMatter } from '#kernel/markup/front-matter.ts';
import { cutComments, type OutlineSection, readOutline } from '#kernel/markup/outline.ts';
import { type BaseCategory, type EntriesByCategory, readEntries } from './base-entries.ts';

/** Throws an Error with a message of our own if the front matter is not a YAML map. Dates stay strings. */
export function parsePage(text: string) {
  const { frontMatter, body } = cutFrontMatter(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  if (frontMatter === undefined) return { values: {}, body };
  let values: unknown;
  try {
    // Nested aliases could expand without limit.
    values = parse(frontMatter.join('\n'), {
      schema: 'core',
      maxAliasCount: 50,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch (error) {
    throw new Error(`the front matter is not valid YAML: ${(error as Error).message.split('\n')[0]}`, { cause: error });
  }
  if (values === null || values === undefined) return { values: {}, body };
  if (!isObject(values)) throw new Error('the front matter is not a map of key: value');
  return { values, body };
}

/** The paragraph that begins with `**Cause:**`, without the label. Throws an Error if there is none. */
function labelledParagraph(markdown: string, label: string): string {
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

export type MarkdownCategory = Exclude<BaseCategory, 'templates'>;

/** Headings down to this level begin an entry; deeper ones stay part of it. */
const entryLevelMax = 3;

interface MarkdownSection {
  readonly anchor: string;
  readonly title: string;
  readonly breadcrumb: readonly string[];
  readonly text: string;
}

/** Comments hold code that only makes a sample compile. Comments inside a fence belong to the sample. */
const withoutComments = (markdown: string): string =>
  splitFences(markdown)
    .map((block) => (block.kind === 'fence' ? renderFence(block.info, block.content) : cutComments(block.text)))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');

function toMarkdownSections(outline: readonly OutlineSection[]): readonly MarkdownSection[] {
  const sections: { anchor: string; title: string; breadcrumb: readonly string[]; text: string }[] = [];
  for (const { level, title, anchor, breadcrumb, text } of outline) {
    const last = sections.at(-1);
    if (level > entryLevelMax && last !== undefined) last.text += `\n\n${'#'.repeat(level)} ${title}\n\n${text}`;
    else sections.push({ anchor: level > 1 ? anchor : '', title, breadcrumb, text });
  }
  return sections
    .map((section) => ({ ...section, text: withoutComments(section.text) }))
    .filter(({ text }) => text !== '');
}

const categoryFields = {
  docs: ({ text, breadcrumb }: MarkdownSection) => ({ content: text, breadcrumb }),
  snippets({ text }: MarkdownSection) {
    const blocks = splitFences(text);
    const sample = blocks.find(({ kind }) => kind === 'fence');
    if (sample?.kind !== 'fence') throw new Error('it has no code');
    const description = blocks.flatMap((block) => (block.kind === 'text' ? [block.text.trim()] : [])).join('\n\n');
    return { language: sample.info.split(/\s/)[0] || 'text', description, code: sample.content };
  },
  patterns: ({ text }: MarkdownSection) => ({
    symptom: labelledParagraph(text, 'Symptom'),
    cause: labelledParagraph(text, 'Cause'),
    fix: labelledParagraph(text, 'Fix'),
    content: text,
  }),
  'best-practices': ({ text }: MarkdownSection) => ({
    practice: labelledParagraph(text, 'Do'),
    reason: labelledParagraph(text, 'Why'),
    content: text,
  }),
} as const;

/** `docs/v5/hooks.md` → `v5/hooks`, `snippets/hooks.md` → `snippets/hooks`. */
const pageId = (path: string): string => path.replace(/^docs\//, '').replace(/\.md$/, '');

/** `path` is relative to the root of the base. Throws an Error that names the section. */
export function compileMarkdown<C extends MarkdownCategory>(
  category: C,
  path: string,
  text: string,
): readonly EntriesByCategory[C][] {
  const { values, body } = parsePage(text);
  const { title, version, category: topic, tags, url } = values;
  const page = pageId(path);
  const source = { ...(url === undefined ? {} : { url }), path };
  return toMarkdownSections(readOutline(body)).flatMap((section) => {
    const { anchor } = section;
    const id = anchor === '' ? page : `${page}#${anchor}`;
    const heading = section.title === '' ? title : section.title;
    try {
      const parts = categoryFields[category](section);
      return readEntries(category, { id, title: heading, version, category: topic, tags, ...parts, source }, path);
    } catch (error) {
      throw new Error(`"${String(heading)}": ${(error as Error).message}`, { cause: error });
    }
  });
}
