import { knowledgePages } from './tools/knowledge-pages.ts';
import { knowledgeRead } from './tools/knowledge-read.ts';
import { searchDocs } from './tools/search-docs.ts';

export const searchTools = [searchDocs, knowledgeRead, knowledgePages] as const;
