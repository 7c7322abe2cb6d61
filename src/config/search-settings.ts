import type { Setting } from './setting.ts';

const knowledge = { group: 'Knowledge', part: 'knowledge' } as const;

export const knowledgeSettings = {
  knowledgeDirs: {
    ...knowledge,
    kind: 'list',
    items: 'path',
    splitAt: 'delimiter',
    about:
      'Folders with your own knowledge, in addition to the shipped base: docs, snippets, patterns, best-practices and templates. An entry with the same id replaces the shipped one.',
    fallback: [],
  },
} as const satisfies Readonly<Record<string, Setting>>;

const common = { group: 'Search', part: 'search' } as const;

/** Semantic search in all memories; the first three variables come from a source document. */
export const searchSettings = {
  semanticSearch: {
    ...common,
    kind: 'boolean',
    about: 'Embeds new texts for semantic search. If off, search uses keywords only, and scratch_search fails.',
    env: ['SCRATCH_NOTEBOOK_ENABLE_SEMANTIC_SEARCH'],
    fallback: true,
  },
  embeddingModel: {
    ...common,
    kind: 'text',
    about:
      '`minilm` runs all-MiniLM-L6-v2 in this process, if its optional package is installed; `debug` makes deterministic vectors without meaning; with embeddingUrl, the model name of that service.',
    env: ['SCRATCH_NOTEBOOK_EMBEDDING_MODEL'],
    fallback: 'minilm',
  },
  embeddingBatchSize: {
    ...common,
    kind: 'integer',
    about: 'Number of texts per embedding batch.',
    env: ['SCRATCH_NOTEBOOK_EMBEDDING_BATCH_SIZE'],
    min: 1,
    max: 1_024,
    fallback: 16,
  },
  embeddingUrl: {
    ...common,
    kind: 'url',
    about: 'Base URL of an OpenAI-compatible embedding service, without `/embeddings`.',
    schemes: ['https', 'http'],
    unsetMeans: 'no text leaves this process',
  },
  embeddingKeyFile: {
    ...common,
    kind: 'path',
    about: 'File with the key for that service.',
    unsetMeans: 'no key is sent',
  },
} as const satisfies Readonly<Record<string, Setting>>;
