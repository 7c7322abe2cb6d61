import type { Setting } from './setting.ts';

const knowledge = { group: 'Knowledge', part: 'knowledge' } as const;

export const knowledgeSettings = {
  knowledgeDirs: {
    ...knowledge,
    kind: 'list',
    items: 'path',
    splitAt: 'delimiter',
    about:
      'Folders with knowledge of your own, beside the shipped base: docs, snippets, patterns, best-practices and templates. An entry of the same id replaces the shipped one.',
    fallback: [],
  },
} as const satisfies Readonly<Record<string, Setting>>;

const common = { group: 'Search', part: 'search' } as const;

/** Semantic search in all memories; the first three variables come from a source document. */
export const searchSettings = {
  semanticSearch: {
    ...common,
    kind: 'boolean',
    about:
      'Embeds what is written, so that it can be found by meaning. Off: by words alone, and scratch_search refuses.',
    env: ['SCRATCH_NOTEBOOK_ENABLE_SEMANTIC_SEARCH'],
    fallback: true,
  },
  embeddingModel: {
    ...common,
    kind: 'text',
    about:
      '`minilm` runs all-MiniLM-L6-v2 in this process, when its optional package is installed; `debug` makes deterministic vectors without meaning; with embeddingUrl it is the name of the model there.',
    env: ['SCRATCH_NOTEBOOK_EMBEDDING_MODEL'],
    fallback: 'minilm',
  },
  embeddingBatchSize: {
    ...common,
    kind: 'integer',
    about: 'How many texts are embedded at once.',
    env: ['SCRATCH_NOTEBOOK_EMBEDDING_BATCH_SIZE'],
    min: 1,
    max: 1_024,
    fallback: 16,
  },
  embeddingUrl: {
    ...common,
    kind: 'url',
    about: 'Base address of a service that embeds with the protocol of OpenAI, up to but without `/embeddings`.',
    schemes: ['https', 'http'],
    unsetMeans: 'nothing leaves this process',
  },
  embeddingKeyFile: {
    ...common,
    kind: 'path',
    about: 'A file with the key for that service.',
    unsetMeans: 'no key is sent',
  },
} as const satisfies Readonly<Record<string, Setting>>;
