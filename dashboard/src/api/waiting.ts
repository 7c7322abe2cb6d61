import type { Output } from './call.ts';
import { useTool } from './use-tool.ts';

type Attention = Output<'overview'>['attention'][number];

/** The answer counts in all memories: too much work for each change, on each page. */
const refreshMs = 30_000;

/** What waits for the decision of a person. */
export function useWaiting(): readonly Attention[] {
  const { data } = useTool('overview', {}, { isLive: false, refreshMs });
  return (data?.attention ?? []).filter(({ severity }) => severity === 'decision');
}
