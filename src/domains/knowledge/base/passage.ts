import { renderFence } from '#kernel/markup/fences.ts';
import { type KnowledgeDocument, toDocument } from '../search/collection.ts';
import type { FoundSection } from '../search/library-sections.ts';
import type { EntriesByCategory, FeathersVersion } from './entry.ts';

/** The library that the shipped base is about. */
export const baseLibrary = 'feathers';

/** An entry of any kind as something that is found. */
export interface Passage extends FoundSection {
  readonly id: string;
  readonly version: FeathersVersion;
}

export const foundCategories = ['docs', 'snippets', 'patterns', 'best-practices'] as const;
type FoundCategory = (typeof foundCategories)[number];

const kinds: Readonly<Record<Exclude<FoundCategory, 'docs'>, string>> = {
  snippets: 'Snippets',
  patterns: 'Error patterns',
  'best-practices': 'Best practices',
};

function toText(entry: EntriesByCategory[FoundCategory]): string {
  if ('code' in entry) return `${entry.description}\n\n${renderFence(entry.language, entry.code)}`.trim();
  if (entry.content !== '') return entry.content;
  if ('symptom' in entry) return [entry.symptom, entry.cause, entry.fix].join('\n\n');
  return 'practice' in entry ? [entry.practice, entry.reason].join('\n\n') : '';
}

export function toPassage<C extends FoundCategory>(category: C, entry: EntriesByCategory[C]): Passage {
  const { id, title, version, category: topic, tags, source } = entry;
  return {
    id,
    library: baseLibrary,
    version,
    category: topic,
    title,
    breadcrumb: 'breadcrumb' in entry ? entry.breadcrumb : [kinds[category as keyof typeof kinds], title],
    text: toText(entry),
    tags,
    path: source.path,
    ...(source.url === undefined ? {} : { url: source.url }),
  };
}

export const toPassageDocument = (passage: Passage): KnowledgeDocument =>
  toDocument(passage.id, passage, passage.version);
