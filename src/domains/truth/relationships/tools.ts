import { createRelationship } from './tools/create-relationship.ts';
import { getGraphNeighborhood } from './tools/get-graph-neighborhood.ts';
import { getRelatedEntities } from './tools/get-related-entities.ts';
import { listRelationships } from './tools/list-relationships.ts';

export const relationshipTools = [
  createRelationship,
  listRelationships,
  getRelatedEntities,
  getGraphNeighborhood,
] as const;
