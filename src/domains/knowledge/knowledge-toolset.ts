import { defineToolset } from '#kernel/tool/tool.ts';
import { knowledgeAdd } from './ingest/tools/knowledge-add.ts';
import { knowledgeIngest } from './ingest/tools/knowledge-ingest.ts';
import type { Knowledge } from './knowledge.ts';
import { knowledgeList } from './libraries/tools/knowledge-list.ts';
import { knowledgeRemove } from './libraries/tools/knowledge-remove.ts';
import { knowledgeRestore } from './libraries/tools/knowledge-restore.ts';
import { knowledgePages } from './search/tools/knowledge-pages.ts';
import { knowledgeRead } from './search/tools/knowledge-read.ts';
import { searchDocs } from './search/tools/search-docs.ts';
import { generateServiceTool } from './services/tools/generate-service.ts';
import { getFeathersTemplate } from './templates/tools/get-feathers-template.ts';
import { knowledgeNew } from './templates/tools/knowledge-new.ts';

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
