import type { StemOf } from '#kernel/search/stemmer.ts';
import type { PrintedAnswer } from '#kernel/tool/kept-answers.ts';
import type { Base } from '../base/open-base.ts';
import { baseLibrary } from '../base/passage.ts';
import type { Asked } from './asked.ts';
import type { DocAnswer, DocHit } from './doc-query.ts';
import type { FoundSection } from './library-sections.ts';
import { type MarkedText, markText } from './marked-text.ts';
import { type HitPrint, printAnswer, printFacts } from './print-answer.ts';
import { createSnippets } from './snippets.ts';

/** Four digits tell hits apart; more are noise. */
const toScore = (score: number, best: number): number => Math.round((score / best) * 10_000) / 10_000;

/** A section that is too long was taken in in pieces; of those one is shown. */
const placeOf = ({ library, version, path, breadcrumb }: FoundSection): string =>
  JSON.stringify([library, version, path, breadcrumb]);

type Sections = ReadonlyMap<string, FoundSection>;

const none: Sections = new Map();

/** What is shown of a section whatever was asked, and the words of its text. */
interface Shown {
  readonly facts: Omit<DocHit, 'id' | 'score' | 'snippet'>;
  readonly marked: MarkedText;
  readonly place: string;
  /** Printed with the first hit that shows it; only of the base. */
  print?: HitPrint;
}

/** The headings above it: its own is the title. A page that is found as a whole stands under itself. */
const breadcrumbOf = ({ breadcrumb }: FoundSection): string =>
  (breadcrumb.length > 1 ? breadcrumb.slice(0, -1) : breadcrumb).join(' > ');

function toShown(section: FoundSection, stemOf: StemOf): Shown {
  const { library, version, category, title, path, url } = section;
  const source = url === undefined ? { path } : { url, path };
  const facts = { title, version, category, source, breadcrumb: breadcrumbOf(section) };
  return {
    facts: library === baseLibrary ? facts : { ...facts, library },
    marked: markText(section.text, stemOf),
    place: placeOf(section),
  };
}

/** Makes what is shown of what was found. */
export function createShownHits(stemOf: StemOf) {
  /** Of the base alone, which never changes: reading the words of ten texts costs more than finding them. */
  const known = new Map<string, Shown>();

  /** Undefined: removed since the index was asked. */
  function show(id: string, { passages }: Base, taken: Sections): Shown | undefined {
    const before = known.get(id);
    if (before !== undefined) return before;
    const passage = passages.get(id);
    const section = passage ?? taken.get(id);
    if (section === undefined) return undefined;
    const shown = toShown(section, stemOf);
    if (section === passage) known.set(id, shown);
    return shown;
  }

  /** `taken`: the sections of libraries among them. */
  function toHits({ hits, parsed, how }: Asked, limit: number, base: Base, taken: Sections = none): readonly DocHit[] {
    const snippetOf = createSnippets(parsed, stemOf);
    const places = new Set<string>();
    const results: DocHit[] = [];
    let best: number | undefined;
    for (const { id, score } of hits) {
      const shown = show(id, base, taken);
      if (shown === undefined || places.has(shown.place)) continue;
      places.add(shown.place);
      best ??= score;
      const { title, version, category, source, breadcrumb, library } = shown.facts;
      const snippet = snippetOf(shown.marked, how);
      const hit = { id, title, version, category, source, score: toScore(score, best), snippet, breadcrumb };
      if (library === undefined) shown.print ??= printFacts(hit);
      results.push(library === undefined ? hit : { ...hit, library });
      if (results.length === limit) break;
    }
    return results;
  }

  return {
    toHits,
    print: (answer: DocAnswer): PrintedAnswer => printAnswer(answer, (id) => known.get(id)?.print),
  };
}
