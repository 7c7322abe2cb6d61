import { limits } from '#kernel/limits.ts';
import type { Card } from '#kernel/tool/card.ts';
import { listTools } from './listing.ts';

/** What the default `tools/list` costs every conversation. */
export function findBudgetViolations(cards: readonly Card[]): readonly string[] {
  const { tools, json } = listTools(cards, 'default');
  const bytes = Buffer.byteLength(json);
  return [
    ...(tools.length > limits.listedToolsCount
      ? [`${tools.length} tools are listed; ${limits.listedToolsCount} may be`]
      : []),
    ...(bytes > limits.listedToolsBytes ? [`the list has ${bytes} bytes; ${limits.listedToolsBytes} may be`] : []),
    ...(tools.length === 0 ? ['nothing is listed'] : []),
  ];
}
