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
    description: [entry.description, entry.rationale, ...(entry.examples ?? [])].filter(Boolean).join('\n'),
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

/** Added by an import, so it says nothing about the rule. */
const importedCategory = 'imported';

/** A derived summary repeats the beginning of the body, so it is left out. An example is a task in other words. */
export function toEmbeddingText(entry: InstructionEntry): SemanticText {
  const { title, categories, semanticSummary, description, body, examples = [] } = entry;
  const named = categories.filter((name) => name !== importedCategory).join(', ');
  const summary = body.startsWith(semanticSummary) ? undefined : semanticSummary;
  const head = [title, description, named, summary].filter(Boolean).join('\n');
  const text = `${head}\n\n${body}`.toWellFormed();
  return examples.length === 0 ? { text } : { text, others: examples.map((example) => example.toWellFormed()) };
}
