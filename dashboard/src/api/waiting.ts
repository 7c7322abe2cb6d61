import type { Output } from './call.ts';
import { useTool } from './use-tool.ts';

type Attention = Output<'overview'>['attention'][number];

/** What waits for the decision of a person. The start page shows it live; other pages need not. */
export function useWaiting(): readonly Attention[] {
  const { data } = useTool('overview', {}, { isLive: false });
  return (data?.attention ?? []).filter(({ severity }) => severity === 'decision');
}
