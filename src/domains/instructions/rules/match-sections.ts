import { foldCase } from '#kernel/text/normalise.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import type { SourceMark } from './source-mark.ts';

/** A rule of the catalog that was imported from a file. */
export interface ImportedRule {
  readonly entry: InstructionEntry;
  readonly etag: string;
  readonly mark: SourceMark;
}

/** A section of a rule file as it is now. */
export interface SourceSection {
  readonly input: InstructionInput;
  readonly mark: SourceMark;
}

/** From this share of common words on, a text under another heading is the same rule. */
const similarShare = 0.6;
/** Comparing more pairs takes too long; then only equal texts are recognised. */
const pairsCount = 250_000;

/** Formats with one rule per file: the file is the identity, whatever it says. */
const wholeFileFormats: ReadonlySet<string> = new Set(['cursor-mdc', 'copilot-instructions', 'skill']);

const titleKey = (title: string): string =>
  foldCase(title)
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim();

const keyOf = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts);

const fileKey = ({ project, file }: SourceMark): string => keyOf(project, file);

/** What the file said when it was read last. */
const titleOf = ({ entry, mark }: ImportedRule): string => mark.title ?? entry.title;
const hashOf = ({ entry, mark }: ImportedRule): string => mark.hash ?? entry.sourceHash;
const sectionTitle = ({ input }: SourceSection): string => input.title ?? input.id;

function groupBy<T>(items: Iterable<T>, toKey: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = toKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of foldCase(text).split(/[^\p{L}\p{N}]+/u)) {
    if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, n) => sum + n, 0);

/** The share of words that both texts have: 1 if they have the same words, 0 if none is common. */
function similarity(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  for (const [word, count] of a) common += Math.min(count, b.get(word) ?? 0);
  const all = total(a) + total(b);
  return all === 0 ? 0 : (2 * common) / all;
}

interface LikelyPair {
  readonly rule: ImportedRule;
  readonly section: SourceSection;
  readonly share: number;
}

/** The most similar pairs first. */
function findSimilar(rules: readonly ImportedRule[], sections: readonly SourceSection[]): readonly LikelyPair[] {
  if (rules.length * sections.length > pairsCount) return [];
  const words = sections.map(({ input }) => countWords(input.body));
  return rules
    .flatMap((rule) => {
      const own = countWords(rule.entry.body);
      return sections.map((section, i) => ({ rule, section, share: similarity(own, words[i]!) }));
    })
    .filter(({ share }) => share >= similarShare)
    .sort((a, b) => b.share - a.share);
}

/**
 * Finds the rule of each section. In this order: nothing changed; the heading changed; the text changed; the section
 * moved to another file; both changed, but the text is similar. Each rule and each section is used once.
 */
export function matchSections(
  rules: readonly ImportedRule[],
  sections: readonly SourceSection[],
): ReadonlyMap<SourceSection, ImportedRule> {
  const matches = new Map<SourceSection, ImportedRule>();
  const used = new Set<ImportedRule>();
  const openRules = () => rules.filter((rule) => !used.has(rule));
  const openSections = () => sections.filter((section) => !matches.has(section));

  function match(section: SourceSection, rule: ImportedRule): void {
    if (used.has(rule) || matches.has(section)) return;
    matches.set(section, rule);
    used.add(rule);
  }

  /** Pairs in the order of the file, where several have the same key. */
  function matchBy(
    ruleKey: (rule: ImportedRule) => string,
    sectionKey: (section: SourceSection) => string,
    isUsable: (key: string) => boolean = () => true,
  ): void {
    const byKey = groupBy(openRules(), ruleKey);
    for (const section of openSections()) {
      const key = sectionKey(section);
      const rule = isUsable(key) ? byKey.get(key)?.shift() : undefined;
      if (rule !== undefined) match(section, rule);
    }
  }

  const ruleText = (rule: ImportedRule) => keyOf(fileKey(rule.mark), hashOf(rule));
  const sectionText = ({ mark }: SourceSection) => keyOf(fileKey(mark), mark.hash);
  const rulesByText = groupBy(rules, ruleText);
  const sectionsByText = groupBy(sections, sectionText);
  /** A text that occurs several times, such as a placeholder, identifies nothing. */
  const isUnique = (key: string) => rulesByText.get(key)?.length === 1 && sectionsByText.get(key)?.length === 1;

  matchBy(
    (rule) => keyOf(ruleText(rule), titleKey(titleOf(rule))),
    (section) => keyOf(sectionText(section), titleKey(sectionTitle(section))),
  );
  matchBy(ruleText, sectionText, isUnique);
  matchBy(
    (rule) => keyOf(fileKey(rule.mark), titleKey(titleOf(rule))),
    (section) => keyOf(fileKey(section.mark), titleKey(sectionTitle(section))),
  );
  matchBy(
    (rule) => keyOf(rule.mark.project, hashOf(rule), titleKey(titleOf(rule))),
    (section) => keyOf(section.mark.project, section.mark.hash, titleKey(sectionTitle(section))),
  );

  const rulesByFile = groupBy(rules, ({ mark }) => fileKey(mark));
  const sectionsByFile = groupBy(sections, ({ mark }) => fileKey(mark));
  for (const [file, inFile] of sectionsByFile) {
    const known = rulesByFile.get(file) ?? [];
    const left = known.filter((rule) => !used.has(rule));
    const open = inFile.filter((section) => !matches.has(section));
    for (const { rule, section } of findSimilar(left, open)) match(section, rule);
    const [only] = inFile;
    const isWhole = known.length === 1 && inFile.length === 1 && wholeFileFormats.has(only?.mark.format ?? '');
    if (isWhole && only !== undefined && known[0] !== undefined) match(only, known[0]);
  }
  return matches;
}
