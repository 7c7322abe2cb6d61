import { splitFences } from '#kernel/markup/fences.ts';
import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import { sigilWordsOf } from './read-query.ts';

const inlineCode = /`([^`\n]+)`/g;
/** A name, or names joined by dots: `app.use`, `HookContext`, `user_id`. */
const names = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;
/** Words of the language, not of a library: they occur in every sample. */
const common = new Set(
  `abstract any as async await boolean break case catch class console.log const constructor continue default delete do else
   export extends false finally for from function get if implements import in instanceof interface js json let module.exports
   new null number object of package private process.env promise protected public readonly require return set sh static
   string super switch text this throw true try ts type typeof undefined unknown var void while yield`.split(/\s+/),
);

/** The distinct names in fences and backticks. Names with a sigil are added as an extra word. */
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

/** The base and the libraries are ranked together, so both become documents of this collection. */
export const knowledgeDocuments = defineCollection({
  name: 'knowledge',
  // Measured with the judged questions in bench/judged: long sections are as good as short ones, so length counts
  // less. The code of a declaration says less than its comment.
  fields: { title: 5, breadcrumb: 1.5, identifiers: 0.3, text: 1, code: 0.3 },
  title: 'title',
  // The breadcrumb already says what the path says, in better words.
  idWeight: 0,
  k1: 1.5,
  b: 0.5,
});

export type KnowledgeField = 'title' | 'breadcrumb' | 'identifiers' | 'text' | 'code';
export type KnowledgeDocument = SearchDocument<KnowledgeField>;

/** A part of a page under one heading. */
export interface Section {
  /** `feathers` for the shipped base. A tenant's library may have the same name. */
  readonly library: string;
  /** `19.2.0` for a library; `v4`, `v5` or `both` for the base. */
  readonly version: string;
  readonly category: string;
  /** The last item of the breadcrumb. */
  readonly title: string;
  readonly breadcrumb: readonly string[];
  /** Markdown, without the heading. */
  readonly text: string;
  /** If `text` is only a part of a long section: all of it. */
  readonly wholeText?: string;
  /** Synonyms. */
  readonly tags?: readonly string[];
  /** Of its page in the library: `guides/hooks.md`. */
  readonly path: string;
  readonly url?: string;
}

export const semanticText = ({ fields }: KnowledgeDocument): string =>
  [fields.breadcrumb, fields.title, fields.text, fields.code]
    .filter((text) => text !== undefined && text !== '')
    .join('\n');

/** The `edition` facet of library documents; that of base entries is their version. */
export const libraryEdition = 'library';

export const sectionId = (library: string, version: string, path: string, anchor: string): string =>
  `${library}@${version}/${path}#${anchor}`;

/** The category of pages with type declarations. */
export const typesCategory = 'types';

/** The comments of declarations are their text; samples in prose belong to the text. */
function toTextFields({ category, text }: Section): Pick<KnowledgeDocument['fields'], 'text' | 'code'> {
  if (category !== typesCategory) return { text };
  const blocks = splitFences(text);
  return {
    text: blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n'),
    code: blocks.flatMap((block) => (block.kind === 'fence' ? [block.content] : [])).join('\n'),
  };
}

/** Headings under which a project speaks of itself. */
const asideTitle =
  /^(?:(?:table of )?contents|contribut(?:ing|ors?)|authors?|team|maintainers?|licen[cs]e|sponsors?|backers|acknowledge?ments|credits|emeritus.*|hosted by|support|community|(?:core |key |main )?features|highlights|benchmarks?|motivation|philosophy|stargazers|see also|references|resources|further reading)$/i;
/** A heading that is the signature of a type: `Reply<RawServer, RouteGeneric>`. */
const signature = /[\w\]]<([^<>]*)>/;
const isSignature = (title: string): boolean => /[A-Z]/.test(signature.exec(title)?.[1] ?? '');
const shortHeadChars = 120;
const links = /\[[^\][]*\](?:\([^()]*\)|\[[^\][]*\])|https?:\/\/\S+/g;
const letters = /[\p{L}\p{N}]/gu;

/** Most of its letters are in links. */
function isLinkList(text: string): boolean {
  const rest = text.replaceAll(links, '');
  if (rest.length > text.length / 2) return false;
  return (rest.match(letters)?.length ?? 0) < 0.2 * (text.match(letters)?.length ?? 0);
}

/** What is known about a section without a query: see `section-prior.ts`. */
export const sectionKinds = ['bare', 'deprecated', 'aside'] as const;
export type SectionKind = (typeof sectionKinds)[number];

/** The head of a page that says little more than its title. */
const isShortHead = ({ breadcrumb, text }: Section): boolean => breadcrumb.length === 1 && text.length < shortHeadChars;

function kindsOf(section: Section): readonly SectionKind[] {
  const { category, title, text } = section;
  if (category !== typesCategory) {
    const isAside = asideTitle.test(title) || isSignature(title) || isShortHead(section) || isLinkList(text);
    return isAside ? ['aside'] : [];
  }
  const kinds: SectionKind[] = text.startsWith('```') ? ['bare'] : [];
  return /(?:^|\n)@deprecated\b/.test(text) ? [...kinds, 'deprecated'] : kinds;
}

/**
 * `id` is `sectionId(…)` for a library; ids of the base contain no `@`. The default search filters by the facet
 * `edition`: the newest version of the base, and every library.
 */
export const toDocument = (id: string, section: Section, edition: string = libraryEdition): KnowledgeDocument => ({
  id,
  fields: {
    title: section.title,
    breadcrumb: [section.library, ...section.breadcrumb.slice(0, -1), ...(section.tags ?? [])].join(' '),
    identifiers: identifiersOf(section.text),
    ...toTextFields(section),
  },
  facets: {
    library: section.library,
    version: section.version,
    category: section.category,
    edition,
    ...(edition === libraryEdition && { kind: kindsOf(section) }),
  },
});
