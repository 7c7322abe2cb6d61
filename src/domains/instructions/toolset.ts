import { defineToolset } from '#kernel/tool/tool.ts';
import { feedbackTools } from './feedback/tools.ts';
import { gateTools } from './gates/tools.ts';
import type { Instructions } from './instructions.ts';
import { integrityTools } from './integrity/tools.ts';
import { readTools } from './reads/tools.ts';
import { reviewTools } from './review/tools.ts';
import { usageTools } from './usage/tools.ts';
import { writeTools } from './writes/tools.ts';

export const instructionsToolset = defineToolset<Instructions>({
  name: 'instructions',
  faultForm: 'numeric',
  tools: [
    ...readTools,
    ...writeTools,
    ...usageTools,
    ...feedbackTools,
    ...reviewTools,
    ...gateTools,
    ...integrityTools,
  ],
});
