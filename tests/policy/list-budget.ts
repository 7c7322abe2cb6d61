import { limits } from '#kernel/limits.ts';
import type { Card } from '#kernel/tool/card.ts';
import { listTools } from './listing.ts';

export interface Places {
  readonly count: number;
  readonly bytes: number;
}

/** Kept free for tools that are yet to come: three of the memory of documents. */
export const awaited: Places = { count: 3, bytes: 1_500 };

/** What the default `tools/list` costs every conversation. */
export function findBudgetViolations(
  cards: readonly Card[],
  keptFree: Places = { count: 0, bytes: 0 },
): readonly string[] {
  const { tools, json } = listTools(cards, 'default');
  const bytes = Buffer.byteLength(json);
  const mayCount = limits.listedToolsCount - keptFree.count;
  const mayBytes = limits.listedToolsBytes - keptFree.bytes;
  return [
    ...(tools.length > mayCount ? [`${tools.length} tools are listed; ${mayCount} may be`] : []),
    ...(bytes > mayBytes ? [`the list has ${bytes} bytes; ${mayBytes} may be`] : []),
    ...(tools.length === 0 ? ['nothing is listed'] : []),
  ];
}
