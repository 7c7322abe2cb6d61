import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import type { SemanticText } from '#kernel/search/semantic/semantic-search.ts';
import type { InstructionEntry } from '../entry-model.ts';

export const instructionDocuments = defineCollection({
  name: 'instructions',
  fields: { title: 3, categories: 2, summary: 1.5, tags: 1.5, description: 1, body: 1 },
  title: 'title',
});

type Field = 'title' | 'categories' | 'summary' | 'tags' | 'description' | 'body';

const words = (list: readonly string[] | undefined): string => (list ?? []).join(' ');

/** A file may contain text that is not allowed in a facet. */
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

/** A derived summary repeats the beginning of the body, so it is left out. */
export function toEmbeddingText({ title, categories, semanticSummary, body }: InstructionEntry): SemanticText {
  const summary = body.startsWith(semanticSummary) ? '' : semanticSummary;
  const head = [title, categories.join(', '), summary].filter((text) => text !== '').join('\n');
  return { text: `${head}\n\n${body}`.toWellFormed() };
}
