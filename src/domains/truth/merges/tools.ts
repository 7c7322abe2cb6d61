import { listPotentialDuplicates } from './tools/list-potential-duplicates.ts';
import { mergeEntities } from './tools/merge-entities.ts';
import { unmergeEntities } from './tools/unmerge-entities.ts';

export const mergeTools = [mergeEntities, unmergeEntities, listPotentialDuplicates] as const;
