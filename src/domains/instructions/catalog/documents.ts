import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import type { SemanticText } from '#kernel/search/semantic/semantic-search.ts';
import type { InstructionEntry } from '../entry-model.ts';

/** What of an entry can be found, the most telling first. */
export const instructionDocuments = defineCollection({
  name: 'instructions',
  fields: { title: 3, categories: 2, summary: 1.5, tags: 1.5, description: 1, body: 1 },
  title: 'title',
});

type Field = 'title' | 'categories' | 'summary' | 'tags' | 'description' | 'body';

const words = (list: readonly string[] | undefined): string => (list ?? []).join(' ');

/** An outside file may hold text that no facet can. */
const facet = (text: string): string => text.replaceAll('\0', '').toWellFormed();

export const toDocument = (entry: InstructionEntry): SearchDocument<Field> => ({
  id: entry.id,
  fields: {
    title: entry.title,
    categories: words(entry.categories),
    summary: entry.semanticSummary,
    tags: words(entry.tags),
    description: [entry.description, entry.rationale].filter((text) => text !== undefined).join('\n'),
    body: entry.body,
  },
  facets: {
    category: entry.categories.map(facet),
    tier: entry.priorityTier,
    status: entry.status,
    requirement: entry.requirement,
    owner: facet(entry.owner),
  },
});

/** What an entry is about, for a search by meaning. A summary that is the beginning of the body says nothing twice. */
export function toMeaningText({ title, categories, semanticSummary, body }: InstructionEntry): SemanticText {
  const summary = body.startsWith(semanticSummary) ? '' : semanticSummary;
  const head = [title, categories.join(', '), summary].filter((text) => text !== '').join('\n');
  return { text: `${head}\n\n${body}`.toWellFormed() };
}
