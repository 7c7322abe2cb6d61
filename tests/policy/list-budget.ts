import { limits } from '#kernel/limits.ts';
import type { Card } from '#kernel/tool/card.ts';
import { listTools } from './toolsets.ts';

/** Every conversation pays for the default `tools/list`. */
export function findBudgetViolations(cards: readonly Card[]): readonly string[] {
  const { tools, json } = listTools(cards, 'default');
  const bytes = Buffer.byteLength(json);
  const { listedToolsCount: countMax, listedToolsBytes: bytesMax } = limits;
  return [
    ...(tools.length > countMax ? [`${tools.length} tools are listed; the limit is ${countMax}`] : []),
    ...(bytes > bytesMax ? [`the list has ${bytes} bytes; the limit is ${bytesMax}`] : []),
    ...(tools.length === 0 ? ['nothing is listed'] : []),
  ];
}
