import type { StemOf } from '#kernel/search/stemmer.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import type { Section } from './collection.ts';
import type { DocHit, ResolvedQuery, SearchOutcome } from './doc-query.ts';
import { listMatches } from './list-matches.ts';
import { toPassages } from './passages.ts';
import { createSnippets, indexWords, type SnippetText, type StemNumbers, toSnippetText } from './snippets.ts';

type Sections = ReadonlyMap<string, Section>;
type HitFields = Omit<DocHit, 'score' | 'relevance' | 'snippet' | 'text' | 'cut' | 'why'>;

interface HitSource {
  readonly fields: HitFields;
  readonly text: SnippetText;
  readonly section: Section;
  /** The parts of a split library section share a key, and only one of them is shown. */
  readonly sectionKey?: string;
}

/** Four decimals distinguish hits; more would be noise. */
const toRatio = (value: number): number => Math.round(value * 1_000) / 1_000;

const toScore = (score: number, best: number): number => Math.round((score / best) * 10_000) / 10_000;

/** `library` is set only for a tenant's library. */
function toHitFields(id: string, section: Section, library?: string): HitFields {
  const { version, category, title, path, url, breadcrumb } = section;
  return {
    ...{ id, title, version, category, source: url === undefined ? { path } : { url, path } },
    // The last heading is the title. A page without headings keeps its own name.
    breadcrumb: (breadcrumb.length > 1 ? breadcrumb.slice(0, -1) : breadcrumb).join(' > '),
    ...(library === undefined ? {} : { library }),
  };
}

export function createDocHits(stemOf: StemOf) {
  /** For the base only, which never changes: reading the words of ten texts costs more than finding them. */
  const cached = new Map<string, HitSource>();
  const numbers: StemNumbers = new Map();

  function cacheBaseHit(id: string, section: Section): HitSource {
    const text = toSnippetText(section.text);
    const source = {
      fields: toHitFields(id, section),
      section,
      text: { ...text, words: indexWords(text.line, stemOf, numbers) },
    };
    cached.set(id, source);
    return source;
  }

  /** Undefined if the section was removed after the index was searched. */
  function findSource(id: string, base: KnowledgeBase, librarySections: Sections): HitSource | undefined {
    const inBase = base.sections.get(id);
    if (inBase !== undefined) return cached.get(id) ?? cacheBaseHit(id, inBase);
    const section = librarySections.get(id);
    if (section === undefined) return undefined;
    const { library, version, path, breadcrumb } = section;
    const sectionKey = JSON.stringify([library, version, path, breadcrumb]);
    return { fields: toHitFields(id, section, library), section, text: toSnippetText(section.text), sectionKey };
  }

  return (
    { hits, parsed, how, relevanceOf, similarityOf }: SearchOutcome,
    { offset, until, maxTokens, explain }: Pick<ResolvedQuery, 'offset' | 'until' | 'maxTokens' | 'explain'>,
    base: KnowledgeBase,
    librarySections: Sections = new Map(),
  ): readonly DocHit[] => {
    const keys = new Set<string>();
    const shown: { readonly source: HitSource; readonly score: number }[] = [];
    for (const { id, score } of hits) {
      const source = findSource(id, base, librarySections);
      if (source === undefined || (source.sectionKey !== undefined && keys.has(source.sectionKey))) continue;
      if (source.sectionKey !== undefined) keys.add(source.sectionKey);
      shown.push({ source, score });
      if (shown.length === until) break;
    }
    // Created after the loop, which numbers the stems of new texts.
    const snippetOf = createSnippets(parsed, stemOf, numbers);
    const passages = toPassages(
      shown.slice(offset).map(({ source }) => source.section),
      maxTokens,
    );
    function whyOf({ fields: { id }, section }: HitSource): DocHit['why'] {
      const similarity = similarityOf?.(id);
      const words = listMatches(section, parsed, stemOf);
      return similarity === undefined ? { words } : { words, meaning: toRatio(similarity) };
    }
    return shown.map(({ source, score }, i) => ({
      ...source.fields,
      score: toScore(score, shown[0]!.score),
      relevance: toRatio(relevanceOf(source.fields.id)),
      snippet: snippetOf(source.text, how),
      ...(i >= offset && passages[i - offset]),
      ...(explain === true && i >= offset && { why: whyOf(source) }),
    }));
  };
}
