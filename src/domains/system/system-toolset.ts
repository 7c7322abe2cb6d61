import { defineToolset } from '#kernel/tool/tool.ts';
import type { System } from './system.ts';
import { auditList } from './tools/audit-list.ts';
import { auditVerify } from './tools/audit-verify.ts';
import { auditVerifyAll } from './tools/audit-verify-all.ts';
import { featureStatus } from './tools/feature-status.ts';
import { healthCheck } from './tools/health-check.ts';
import { metaTools } from './tools/meta-tools.ts';
import { metricsSnapshot } from './tools/metrics-snapshot.ts';
import { toolsCall } from './tools/tools-call.ts';
import { toolsFind } from './tools/tools-find.ts';

export const systemToolset = defineToolset<System>({
  name: 'system',
  faultForm: 'numeric',
  tools: [
    healthCheck,
    metaTools,
    featureStatus,
    metricsSnapshot,
    toolsFind,
    toolsCall,
    auditList,
    auditVerify,
    auditVerifyAll,
  ],
});
