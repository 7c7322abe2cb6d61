import { defineToolset } from '#kernel/tool/tool.ts';
import type { Knowledge } from './knowledge.ts';
import { generateServiceTool } from './tools/generate-service.ts';
import { getFeathersTemplate } from './tools/get-feathers-template.ts';
import { knowledgeIngest } from './tools/knowledge-ingest.ts';
import { knowledgeList } from './tools/knowledge-list.ts';
import { knowledgePages } from './tools/knowledge-pages.ts';
import { knowledgeRead } from './tools/knowledge-read.ts';
import { knowledgeRemove } from './tools/knowledge-remove.ts';
import { searchDocs } from './tools/search-docs.ts';

const templateTools = [getFeathersTemplate] as const;

const serviceTools = [generateServiceTool] as const;

const searchTools = [searchDocs, knowledgeRead, knowledgePages] as const;

export const libraryTools = [knowledgeList, knowledgeRemove] as const;

export const ingestTools = [knowledgeIngest] as const;

export const knowledgeToolset = defineToolset<Knowledge>({
  name: 'knowledge',
  faultForm: 'plain',
  tools: [...searchTools, ...templateTools, ...serviceTools, ...ingestTools, ...libraryTools],
});
