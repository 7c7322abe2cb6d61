import { defineToolset } from '#kernel/tool/tool.ts';
import { ingestTools } from './ingest/tools.ts';
import type { Knowledge } from './knowledge.ts';
import { libraryTools } from './libraries/tools.ts';
import { searchTools } from './search/tools.ts';
import { serviceTools } from './services/tools.ts';
import { templateTools } from './templates/tools.ts';

export const knowledgeToolset = defineToolset<Knowledge>({
  name: 'knowledge',
  faultForm: 'plain',
  tools: [...searchTools, ...templateTools, ...serviceTools, ...ingestTools, ...libraryTools],
});
