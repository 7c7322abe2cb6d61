import type { HitKey } from '#kernel/search/keyword/query/search-parts.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import type { BaseSection } from '../base/base-sections.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import type { Section } from './collection.ts';
import type { DocHit, SearchOutcome } from './doc-query.ts';
import { placeWords, type ShownText, type StemNumbers, toShownText } from './shown-text.ts';
import { createSnippets } from './snippets.ts';

/** Four digits tell hits apart; more are noise. */
const toScore = (score: number, best: number): number => Math.round((score / best) * 10_000) / 10_000;

/** A section of a library that is too long was taken in in pieces; of those one is shown. */
const placeOf = ({ library, version, path, breadcrumb }: Section): string =>
  JSON.stringify([library, version, path, breadcrumb]);

type Sections = ReadonlyMap<string, Section>;

const none: Sections = new Map();

/** What is shown of a section whatever was asked, and its text. */
interface Shown extends ShownText {
  /** Without a score and a snippet. */
  readonly hit: DocHit;
  /** Of a library. */
  readonly place?: string;
}

/** The headings above it: its own is the title. A page that is found as a whole stands under itself. */
const breadcrumbOf = ({ breadcrumb }: Section): string =>
  (breadcrumb.length > 1 ? breadcrumb.slice(0, -1) : breadcrumb).join(' > ');

/** In the order in which it is printed: what depends on the question comes last. */
function toHit(id: string, section: Section, library?: string): DocHit {
  const { version, category, title, path, url } = section;
  const source = url === undefined ? { path } : { url, path };
  const facts = { id, title, version, category, source, breadcrumb: breadcrumbOf(section) };
  return { ...(library === undefined ? facts : { ...facts, library }), score: 0, snippet: '' };
}

/** Member by member: cheaper than to copy a hit and overwrite. */
function withAnswer(hit: DocHit, score: number, snippet: string): DocHit {
  const { id, title, version, category, source, breadcrumb, library } = hit;
  return library === undefined
    ? { id, title, version, category, source, breadcrumb, score, snippet }
    : { id, title, version, category, source, breadcrumb, library, score, snippet };
}

const showTaken = (id: string, section: Section): Shown => ({
  ...toShownText(section.text),
  hit: toHit(id, section, section.library),
  place: placeOf(section),
});

/** Makes what is shown of what was found. */
export function createShownHits(stemOf: StemOf) {
  /** Of the base alone, which never changes: reading the words of ten texts costs more than finding them. */
  const known = new Map<string, Shown>();
  const numbers: StemNumbers = new Map();

  function showPassage(id: string, passage: BaseSection): Shown {
    const text = toShownText(passage.text);
    const hit = toHit(id, passage);
    const words = placeWords(text.line, stemOf, numbers);
    const shown = { ...text, words, hit };
    known.set(id, shown);
    return shown;
  }

  /** Undefined: removed since the index was asked. */
  function show(id: string, { sections: passages }: KnowledgeBase, taken: Sections): Shown | undefined {
    const before = known.get(id);
    if (before !== undefined) return before;
    const passage = passages.get(id);
    if (passage !== undefined) return showPassage(id, passage);
    const section = taken.get(id);
    return section === undefined ? undefined : showTaken(id, section);
  }

  /** What is shown of the first hits, and their scores. */
  function showAll(hits: readonly HitKey[], limit: number, base: KnowledgeBase, taken: Sections) {
    const places = new Set<string>();
    const shown: Shown[] = [];
    const scores: number[] = [];
    for (const { id, score } of hits) {
      const one = show(id, base, taken);
      if (one === undefined || (one.place !== undefined && places.has(one.place))) continue;
      if (one.place !== undefined) places.add(one.place);
      shown.push(one);
      scores.push(score);
      if (shown.length === limit) break;
    }
    return { shown, scores };
  }

  /** `taken`: the sections of libraries among them. */
  return function toHits(
    { hits, parsed, how }: SearchOutcome,
    limit: number,
    base: KnowledgeBase,
    taken: Sections = none,
  ): readonly DocHit[] {
    const { shown, scores } = showAll(hits, limit, base, taken);
    // Not before: what is shown for the first time has its stems numbered there.
    const snippetOf = createSnippets(parsed, stemOf, numbers);
    return shown.map((one, i) => withAnswer(one.hit, toScore(scores[i]!, scores[0]!), snippetOf(one, how)));
  };
}
