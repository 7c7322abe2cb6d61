import { defineToolset } from '#kernel/tool/tool.ts';
import { capabilityTools } from './capabilities/tools.ts';
import { entityTools } from './entities/tools.ts';
import { fileTools } from './files/tools.ts';
import { mergeTools } from './merges/tools.ts';
import { payloadTools } from './payloads/tools.ts';
import { recordTools } from './records/tools.ts';
import { relationshipTools } from './relationships/tools.ts';
import { schemaTools } from './schemas/tools.ts';
import { timelineTools } from './timeline/tools.ts';
import type { Truth } from './truth.ts';

export const truthToolset = defineToolset<Truth>({
  name: 'truth',
  faultForm: 'traced',
  tools: [
    ...payloadTools,
    ...entityTools,
    ...timelineTools,
    ...relationshipTools,
    ...mergeTools,
    ...recordTools,
    ...fileTools,
    ...capabilityTools,
    ...schemaTools,
  ],
});
