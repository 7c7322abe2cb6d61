import type { Place } from './verdict.ts';

/** Line and column of an offset. Lines end with LF, CR or both. */
export function placeAt(text: string, offset: number): Place {
  let line = 1;
  let start = 0;
  for (let at = 0; at < offset && at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 10 && code !== 13) continue;
    if (code === 13 && text.charCodeAt(at + 1) === 10) {
      if (at + 1 >= offset) continue;
      at += 1;
    }
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
