import { truthLimits } from '../../truth-limits.ts';

/** What was read out of a file. */
export interface ExtractedText {
  readonly text: string;
  /** There was more. */
  readonly isCut: boolean;
  /** What the file itself calls its title: a mail's subject, a page's title. */
  readonly title?: string;
}

/** Collects lines up to the limit. */
export function createBoundedText(charsMax: number = truthLimits.textChars) {
  const lines: string[] = [];
  let chars = 0;
  let isCut = false;
  return {
    /** False when there is no room for more. */
    add(line: string): boolean {
      if (isCut) return false;
      const room = charsMax - chars;
      if (line.length > room) {
        isCut = true;
        if (room > 0) lines.push(cutText(line, room));
        return false;
      }
      lines.push(line);
      chars += line.length + 1;
      return true;
    },
    end: (): ExtractedText => ({ text: lines.join('\n'), isCut }),
  };
}

/** No half of a surrogate pair is left at the end: no store takes one. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const last = text.charCodeAt(charsMax - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? charsMax - 1 : charsMax);
}
