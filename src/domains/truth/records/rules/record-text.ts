import { truthLimits } from '../../truth-limits.ts';
import type { Properties } from './properties.ts';

/** All texts in the properties, at every depth, in their order: what a record is found by. */
export function textOfProperties(properties: Properties): string {
  const texts: string[] = [];
  let left: number = truthLimits.recordTextChars;

  function visit(value: unknown): void {
    if (left <= 0) return;
    if (typeof value === 'string') {
      const text = value.slice(0, left).toWellFormed();
      if (text !== '') texts.push(text);
      left -= text.length + 1;
    } else if (value !== null && typeof value === 'object') {
      for (const item of Object.values(value)) visit(item);
    }
  }

  visit(properties);
  return texts.join('\n');
}
