import { parse } from 'yaml';
import { isObject } from '#kernel/json/is-object.ts';
import { renderFence, splitFences } from '#kernel/markup/fences.ts';
import { cutFrontMatter } from '#kernel/markup/front-matter.ts';
import { cutComments, type OutlineSection, readOutline } from '#kernel/markup/outline.ts';
import type { BaseCategory, EntriesByCategory } from './entry.ts';
import { readEntries } from './entry-schemas.ts';

interface SplitPage {
  readonly values: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Throws an Error in words of ours when what stands between the dashes is no map of YAML. Dates stay texts. */
export function splitPage(text: string): SplitPage {
  const { frontMatter, body } = cutFrontMatter(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  if (frontMatter === undefined) return { values: {}, body };
  let values: unknown;
  try {
    // Aliases could grow without end: a few are enough for anybody.
    values = parse(frontMatter.join('\n'), {
      schema: 'core',
      maxAliasCount: 50,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch (error) {
    throw new Error(`the front matter is no YAML: ${(error as Error).message.split('\n')[0]}`, { cause: error });
  }
  if (values === null || values === undefined) return { values: {}, body };
  if (!isObject(values)) throw new Error('the front matter is no map of key: value');
  return { values, body };
}

/** The paragraph that begins with `**Cause:**`, without the label. Throws an Error when there is none. */
function labelled(markdown: string, label: string): string {
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

export type WrittenCategory = Exclude<BaseCategory, 'templates'>;

/** Headings down to this level begin an entry; deeper ones stay inside of theirs. */
const deepestLevel = 3;

interface Passage {
  readonly anchor: string;
  readonly title: string;
  readonly breadcrumb: readonly string[];
  readonly text: string;
}

/** Comments hold what a sample needs to compile; nobody reads them. Those inside of a fence are part of the sample. */
const withoutComments = (markdown: string): string =>
  splitFences(markdown)
    .map((block) => (block.kind === 'fence' ? renderFence(block.info, block.content) : cutComments(block.text)))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');

function toPassages(sections: readonly OutlineSection[]): readonly Passage[] {
  const passages: { anchor: string; title: string; breadcrumb: readonly string[]; text: string }[] = [];
  for (const { level, title, anchor, breadcrumb, text } of sections) {
    const last = passages.at(-1);
    if (level > deepestLevel && last !== undefined) last.text += `\n\n${'#'.repeat(level)} ${title}\n\n${text}`;
    else passages.push({ anchor: level > 1 ? anchor : '', title, breadcrumb, text });
  }
  return passages
    .map((passage) => ({ ...passage, text: withoutComments(passage.text) }))
    .filter(({ text }) => text !== '');
}

const toParts = {
  docs: ({ text, breadcrumb }: Passage) => ({ content: text, breadcrumb }),
  snippets({ text }: Passage) {
    const blocks = splitFences(text);
    const sample = blocks.find(({ kind }) => kind === 'fence');
    if (sample?.kind !== 'fence') throw new Error('it has no code');
    const description = blocks.flatMap((block) => (block.kind === 'text' ? [block.text.trim()] : [])).join('\n\n');
    return { language: sample.info.split(/\s/)[0] || 'text', description, code: sample.content };
  },
  patterns: ({ text }: Passage) => ({
    symptom: labelled(text, 'Symptom'),
    cause: labelled(text, 'Cause'),
    fix: labelled(text, 'Fix'),
    content: text,
  }),
  'best-practices': ({ text }: Passage) => ({
    practice: labelled(text, 'Do'),
    reason: labelled(text, 'Why'),
    content: text,
  }),
} as const;

/** `docs/v5/hooks.md` → `v5/hooks`, `snippets/hooks.md` → `snippets/hooks`. */
const pageId = (path: string): string => path.replace(/^docs\//, '').replace(/\.md$/, '');

/** The entries of one hand-written file. `path` is from the root of the base. Throws an Error that names the section. */
export function compileMarkdown<C extends WrittenCategory>(
  category: C,
  path: string,
  text: string,
): readonly EntriesByCategory[C][] {
  const { values, body } = splitPage(text);
  const { title, version, category: topic, tags, url } = values;
  const page = pageId(path);
  const source = { ...(url === undefined ? {} : { url }), path };
  return toPassages(readOutline(body)).flatMap((passage) => {
    const { anchor } = passage;
    const id = anchor === '' ? page : `${page}#${anchor}`;
    const heading = passage.title === '' ? title : passage.title;
    try {
      const parts = toParts[category](passage);
      return readEntries(category, { id, title: heading, version, category: topic, tags, ...parts, source }, path);
    } catch (error) {
      throw new Error(`"${String(heading)}": ${(error as Error).message}`, { cause: error });
    }
  });
}
