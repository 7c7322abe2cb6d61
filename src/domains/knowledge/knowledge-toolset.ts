import { defineToolset } from '#kernel/tool/tool.ts';
import type { Knowledge } from './knowledge.ts';
import { generateServiceTool } from './tools/generate-service.ts';
import { getFeathersTemplate } from './tools/get-feathers-template.ts';
import { knowledgeAdd } from './tools/knowledge-add.ts';
import { knowledgeIngest } from './tools/knowledge-ingest.ts';
import { knowledgeList } from './tools/knowledge-list.ts';
import { knowledgeNew } from './tools/knowledge-new.ts';
import { knowledgePages } from './tools/knowledge-pages.ts';
import { knowledgeRead } from './tools/knowledge-read.ts';
import { knowledgeRemove } from './tools/knowledge-remove.ts';
import { knowledgeRestore } from './tools/knowledge-restore.ts';
import { searchDocs } from './tools/search-docs.ts';

const templateTools = [getFeathersTemplate, knowledgeNew] as const;

const serviceTools = [generateServiceTool] as const;

const searchTools = [searchDocs, knowledgeRead, knowledgePages] as const;

export const libraryTools = [knowledgeList, knowledgeRemove, knowledgeRestore] as const;

export const ingestTools = [knowledgeIngest, knowledgeAdd] as const;

export const knowledgeToolset = defineToolset<Knowledge>({
  name: 'knowledge',
  faultForm: 'plain',
  tools: [...searchTools, ...templateTools, ...serviceTools, ...ingestTools, ...libraryTools],
});
