import { limits } from '#kernel/limits.ts';
import type { Card } from '#kernel/tool/card.ts';
import { listTools } from './listing.ts';

/** What the default `tools/list` costs every conversation. */
export function findBudgetViolations(cards: readonly Card[]): readonly string[] {
  const { tools, json } = listTools(cards, 'default');
  const bytes = Buffer.byteLength(json);
  const { listedToolsCount: mayCount, listedToolsBytes: mayBytes } = limits;
  return [
    ...(tools.length > mayCount ? [`${tools.length} tools are listed; ${mayCount} may be`] : []),
    ...(bytes > mayBytes ? [`the list has ${bytes} bytes; ${mayBytes} may be`] : []),
    ...(tools.length === 0 ? ['nothing is listed'] : []),
  ];
}
