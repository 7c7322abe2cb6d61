import { defineToolset } from '#kernel/tool/tool.ts';
import { listCapabilities } from './capabilities/tools/list-capabilities.ts';
import { registerCapability } from './capabilities/tools/register-capability.ts';
import { removeCapability } from './capabilities/tools/remove-capability.ts';
import { acceptContradiction } from './contradictions/tools/accept-contradiction.ts';
import { listContradictionsTool } from './contradictions/tools/list-contradictions.ts';
import { correctEntity } from './entities/tools/correct-entity.ts';
import { getEntityByIdentifier } from './entities/tools/get-entity-by-identifier.ts';
import { getEntityOverview } from './entities/tools/get-entity-overview.ts';
import { getEntitySnapshot } from './entities/tools/get-entity-snapshot.ts';
import { getFieldHistory } from './entities/tools/get-field-history.ts';
import { getFieldProvenance } from './entities/tools/get-field-provenance.ts';
import { listEntityMoments } from './entities/tools/list-entity-moments.ts';
import { listEntityTypes } from './entities/tools/list-entity-types.ts';
import { listObservationsTool } from './entities/tools/list-observations.ts';
import { nameEntities } from './entities/tools/name-entities.ts';
import { retrieveEntities } from './entities/tools/retrieve-entities.ts';
import { truthExport } from './exchange/tools/truth-export.ts';
import { truthImport } from './exchange/tools/truth-import.ts';
import { truthRebuild } from './exchange/tools/truth-rebuild.ts';
import { restoreStatement } from './facts/tools/restore-statement.ts';
import { retractStatement } from './facts/tools/retract-statement.ts';
import { storeFact } from './facts/tools/store-fact.ts';
import { getFileUrl } from './files/tools/get-file-url.ts';
import { uploadFile } from './files/tools/upload-file.ts';
import { forgetEntity } from './forgetting/tools/forget-entity.ts';
import { forgetSource } from './forgetting/tools/forget-source.ts';
import { getForgetCertificate } from './forgetting/tools/get-forget-certificate.ts';
import { truthPurge } from './forgetting/tools/truth-purge.ts';
import { listPotentialDuplicates } from './merges/tools/list-potential-duplicates.ts';
import { mergeEntities } from './merges/tools/merge-entities.ts';
import { unmergeEntities } from './merges/tools/unmerge-entities.ts';
import { getPayload } from './payloads/get-payload.ts';
import { submitPayload } from './payloads/submit-payload.ts';
import { deleteRecord } from './records/tools/delete-record.ts';
import { getRecord } from './records/tools/get-record.ts';
import { restoreRecord } from './records/tools/restore-record.ts';
import { retrieveRecords } from './records/tools/retrieve-records.ts';
import { storeRecord } from './records/tools/store-record.ts';
import { updateRecord } from './records/tools/update-record.ts';
import { createRelationship } from './relationships/tools/create-relationship.ts';
import { deleteRelationship } from './relationships/tools/delete-relationship.ts';
import { getGraphNeighborhood } from './relationships/tools/get-graph-neighborhood.ts';
import { getRelatedEntities } from './relationships/tools/get-related-entities.ts';
import { listRelationshipTypes } from './relationships/tools/list-relationship-types.ts';
import { listRelationships } from './relationships/tools/list-relationships.ts';
import { registerRelationshipType } from './relationships/tools/register-relationship-type.ts';
import { restoreRelationship } from './relationships/tools/restore-relationship.ts';
import { activateEntitySchema } from './schemas/tools/activate-entity-schema.ts';
import { listEntitySchemas } from './schemas/tools/list-entity-schemas.ts';
import { registerEntitySchema } from './schemas/tools/register-entity-schema.ts';
import { listTimelineEvents } from './timeline/list-timeline-events.ts';
import type { Truth } from './truth.ts';

export const timelineTools = [listTimelineEvents];

export const schemaTools = [registerEntitySchema, activateEntitySchema, listEntitySchemas] as const;

export const relationshipTools = [
  createRelationship,
  listRelationships,
  getRelatedEntities,
  getGraphNeighborhood,
  deleteRelationship,
  restoreRelationship,
  registerRelationshipType,
  listRelationshipTypes,
] as const;

export const recordTools = [
  storeRecord,
  updateRecord,
  retrieveRecords,
  getRecord,
  deleteRecord,
  restoreRecord,
] as const;

export const payloadTools = [submitPayload, getPayload] as const;

export const factTools = [storeFact, retractStatement, restoreStatement] as const;

export const mergeTools = [mergeEntities, unmergeEntities, listPotentialDuplicates] as const;

export const contradictionTools = [listContradictionsTool, acceptContradiction] as const;

export const fileTools = [uploadFile, getFileUrl] as const;

export const entityTools = [
  getEntitySnapshot,
  listObservationsTool,
  getFieldProvenance,
  getFieldHistory,
  retrieveEntities,
  getEntityByIdentifier,
  getEntityOverview,
  listEntityMoments,
  listEntityTypes,
  nameEntities,
  correctEntity,
];

export const capabilityTools = [listCapabilities, registerCapability, removeCapability] as const;

const forgettingTools = [forgetEntity, forgetSource, getForgetCertificate, truthPurge] as const;

const exchangeTools = [truthExport, truthImport, truthRebuild] as const;

export const truthToolset = defineToolset<Truth>({
  name: 'truth',
  faultForm: 'traced',
  tools: [
    ...payloadTools,
    ...factTools,
    ...entityTools,
    ...timelineTools,
    ...relationshipTools,
    ...mergeTools,
    ...contradictionTools,
    ...recordTools,
    ...fileTools,
    ...capabilityTools,
    ...schemaTools,
    ...forgettingTools,
    ...exchangeTools,
  ],
});
