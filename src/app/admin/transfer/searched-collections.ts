import { instructionDocuments } from '#domains/instructions/catalog/search-documents.ts';
import { knowledgeDocuments } from '#domains/knowledge/search/collection.ts';
import { notebookDocuments } from '#domains/notebooks/search/notebook-documents.ts';
import { recordDocuments } from '#domains/truth/records/record-documents.ts';
import type { Collection } from '#kernel/search/collection.ts';

/** Everything that is searched. Indexes are in no export: each store makes its own. */
export const searchedCollections: readonly Collection[] = [
  instructionDocuments,
  knowledgeDocuments,
  notebookDocuments,
  recordDocuments,
];
