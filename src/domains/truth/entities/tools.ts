import { correctEntity } from './tools/correct-entity.ts';
import { getEntityByIdentifier } from './tools/get-entity-by-identifier.ts';
import { getEntitySnapshot } from './tools/get-entity-snapshot.ts';
import { getFieldHistory } from './tools/get-field-history.ts';
import { getFieldProvenance } from './tools/get-field-provenance.ts';
import { listObservationsTool } from './tools/list-observations.ts';
import { retrieveEntities } from './tools/retrieve-entities.ts';

export const entityTools = [
  getEntitySnapshot,
  listObservationsTool,
  getFieldProvenance,
  getFieldHistory,
  retrieveEntities,
  getEntityByIdentifier,
  correctEntity,
];
