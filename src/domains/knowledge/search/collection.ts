import { splitFences } from '#kernel/markup/fences.ts';
import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import { sigilWordsOf } from './read-query.ts';

const inlineCode = /`([^`\n]+)`/g;
/** A name, or names joined by dots: `app.use`, `HookContext`, `user_id`. */
const names = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;
/** Words of languages rather than of a library: they stand in every sample and tell nothing. */
const common = new Set(
  `abstract any as async await boolean break case catch class console.log const constructor continue default delete do else
   export extends false finally for from function get if implements import in instanceof interface js json let module.exports
   new null number object of package private process.env promise protected public readonly require return set sh static
   string super switch text this throw true try ts type typeof undefined unknown var void while yield`.split(/\s+/),
);

/** The names that code in a Markdown text uses, each once: in fences and in back-ticks. A signed one also as its own word. */
export function identifiersOf(markdown: string): string {
  const found = new Set<string>();
  const collect = (code: string): void => {
    for (const [name] of code.matchAll(names)) {
      if (name.length > 1 && !common.has(name.toLowerCase())) found.add(name);
    }
  };
  for (const block of splitFences(markdown)) {
    if (block.kind === 'fence') collect(block.content);
    else for (const [, code = ''] of block.text.matchAll(inlineCode)) collect(code);
  }
  return [...found, ...sigilWordsOf([...found].join(' '))].join(' ');
}

/** What of the base and of libraries can be found. Both are searched in one ranking, so both are made into documents here. */
export const knowledgeDocuments = defineCollection({
  name: 'knowledge',
  // Measured on judged questions (bench/judged): long sections are not worse than short ones, so lengths count for less.
  fields: { title: 5, breadcrumb: 1.5, identifiers: 0.3, text: 1 },
  title: 'title',
  // The path of a page says what its breadcrumb says in better words.
  idWeight: 0,
  k1: 1.5,
  b: 0.5,
});

export type KnowledgeField = 'title' | 'breadcrumb' | 'identifiers' | 'text';
export type KnowledgeDocument = SearchDocument<KnowledgeField>;

/** A stretch of a page under one heading: what is found. */
export interface Section {
  /** `feathers` is the library of the shipped base; a tenant's may be called so as well. */
  readonly library: string;
  /** Of the library: `19.2.0`; of the base: `v4`, `v5` or `both`. */
  readonly version: string;
  readonly category: string;
  /** The last of the breadcrumb. */
  readonly title: string;
  readonly breadcrumb: readonly string[];
  /** Markdown, without the heading. */
  readonly text: string;
  /** Other words for it. */
  readonly tags?: readonly string[];
  /** Of its page in the library: `guides/hooks.md`. */
  readonly path: string;
  readonly url?: string;
}

/** What of a section has a meaning. */
export const semanticText = ({ fields }: KnowledgeDocument): string =>
  [fields.breadcrumb, fields.title, fields.text].filter((text) => text !== undefined && text !== '').join('\n');

/** What a tenant has taken in carries this edition; entries of the base carry their version. */
export const libraryEdition = 'library';

export const sectionId = (library: string, version: string, path: string, anchor: string): string =>
  `${library}@${version}/${path}#${anchor}`;

/**
 * The document of a section. `id` is `sectionId(…)` for a library; the base has ids of its own, which hold no `@`.
 * The facet `edition` is what the default asks for: the newest version of the base, and every library.
 */
export const toDocument = (id: string, section: Section, edition: string = libraryEdition): KnowledgeDocument => ({
  id,
  fields: {
    title: section.title,
    breadcrumb: [section.library, ...section.breadcrumb.slice(0, -1), ...(section.tags ?? [])].join(' '),
    identifiers: identifiersOf(section.text),
    text: section.text,
  },
  facets: {
    library: section.library,
    version: section.version,
    category: section.category,
    edition,
  },
});
