import { usageFlush } from './tools/usage-flush.ts';
import { usageHotset } from './tools/usage-hotset.ts';
import { usageTrack } from './tools/usage-track.ts';

export const usageTools = [usageTrack, usageHotset, usageFlush] as const;
