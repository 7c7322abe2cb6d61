import { renderFence } from '#kernel/markup/fences.ts';
import { type KnowledgeDocument, type Section, toDocument } from '../search/collection.ts';
import type { EntriesByCategory, FeathersVersion } from './base-entries.ts';

export const baseLibrary = 'feathers';

export interface BaseSection extends Section {
  readonly id: string;
  readonly version: FeathersVersion;
}

export const searchedCategories = ['docs', 'snippets', 'patterns', 'best-practices'] as const;
type SearchedCategory = (typeof searchedCategories)[number];

const categoryTitles: Readonly<Record<SearchedCategory, string>> = {
  docs: 'Docs',
  snippets: 'Snippets',
  patterns: 'Error patterns',
  'best-practices': 'Best practices',
};

function toText(entry: EntriesByCategory[SearchedCategory]): string {
  if ('code' in entry) return `${entry.description}\n\n${renderFence(entry.language, entry.code)}`.trim();
  if (entry.content !== '') return entry.content;
  if ('symptom' in entry) return [entry.symptom, entry.cause, entry.fix].join('\n\n');
  return 'practice' in entry ? [entry.practice, entry.reason].join('\n\n') : '';
}

export function toBaseSection(category: SearchedCategory, entry: EntriesByCategory[SearchedCategory]): BaseSection {
  const { id, title, version, category: topic, tags, source } = entry;
  return {
    id,
    library: baseLibrary,
    version,
    category: topic,
    title,
    breadcrumb: 'breadcrumb' in entry ? entry.breadcrumb : [categoryTitles[category], title],
    text: toText(entry),
    tags,
    path: source.path,
    ...(source.url === undefined ? {} : { url: source.url }),
  };
}

export const toBaseDocument = (section: BaseSection): KnowledgeDocument =>
  toDocument(section.id, section, section.version);
