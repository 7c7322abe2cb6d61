import { defineToolset } from '#kernel/tool/tool.ts';
import type { Integrations } from './integrations.ts';
import { importMemories } from './moving-in/tools/import-memories.ts';

export const integrationsToolset = defineToolset<Integrations>({
  name: 'integrations',
  faultForm: 'traced',
  tools: [importMemories],
});
