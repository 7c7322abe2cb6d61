import { knowledgeList } from './tools/knowledge-list.ts';
import { knowledgeRemove } from './tools/knowledge-remove.ts';

export const libraryTools = [knowledgeList, knowledgeRemove] as const;
