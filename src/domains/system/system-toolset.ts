import { defineToolset } from '#kernel/tool/tool.ts';
import type { System } from './system.ts';
import { actorsName } from './tools/actors-name.ts';
import { auditList } from './tools/audit-list.ts';
import { auditShow } from './tools/audit-show.ts';
import { auditVerify } from './tools/audit-verify.ts';
import { auditVerifyAll } from './tools/audit-verify-all.ts';
import { backupCreate } from './tools/backup-create.ts';
import { backupList } from './tools/backup-list.ts';
import { callerShow } from './tools/caller-show.ts';
import { demoCreate } from './tools/demo-create.ts';
import { demoRemove } from './tools/demo-remove.ts';
import { featureStatus } from './tools/feature-status.ts';
import { healthCheck } from './tools/health-check.ts';
import { jobsList } from './tools/jobs-list.ts';
import { keysCreate } from './tools/keys-create.ts';
import { keysList } from './tools/keys-list.ts';
import { keysRevoke } from './tools/keys-revoke.ts';
import { metaTools } from './tools/meta-tools.ts';
import { metricsSnapshot } from './tools/metrics-snapshot.ts';
import { overview } from './tools/overview.ts';
import { settingsList } from './tools/settings-list.ts';
import { tenantsList } from './tools/tenants-list.ts';
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
    auditShow,
    auditVerify,
    auditVerifyAll,
    overview,
    callerShow,
    actorsName,
    keysList,
    keysCreate,
    keysRevoke,
    tenantsList,
    settingsList,
    jobsList,
    backupCreate,
    backupList,
    demoCreate,
    demoRemove,
  ],
});
