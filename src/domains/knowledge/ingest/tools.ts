import { knowledgeIngest } from './tools/knowledge-ingest.ts';

export const ingestTools = [knowledgeIngest] as const;
