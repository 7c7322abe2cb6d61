import type { Output } from './call.ts';
import { useCan } from './caller.tsx';
import { useTool } from './use-tool.ts';

type Attention = Output<'overview'>['attention'][number];

/** The answer counts in all memories: too much work for each change, on each page. */
const refreshMs = 30_000;

/** What waits for the decision of a person who may decide. */
export function useWaiting(): readonly Attention[] {
  const enabled = useCan('write');
  const { data } = useTool('overview', {}, { enabled, isLive: false, refreshMs });
  if (!enabled) return [];
  return (data?.attention ?? []).filter(({ severity }) => severity === 'decision');
}
