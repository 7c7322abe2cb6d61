import { defineToolset } from '#kernel/tool/tool.ts';
import { checkTools } from './checks/tools.ts';
import { namespaceTools } from './namespaces/tools.ts';
import type { Notebooks } from './notebooks.ts';
import { padTools } from './pads/tools.ts';
import { schemaTools } from './schemas/tools.ts';
import { searchTools } from './search/tools.ts';

export const notebooksToolset = defineToolset<Notebooks>({
  name: 'notebooks',
  faultForm: 'flagged',
  tools: [...padTools, ...checkTools, ...searchTools, ...schemaTools, ...namespaceTools],
});
