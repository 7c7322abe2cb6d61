import { scratchSearch } from './tools/scratch-search.ts';

export const searchTools = [scratchSearch] as const;
