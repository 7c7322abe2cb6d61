import { truthLimits } from '../../truth-limits.ts';

export type UnreadableReason = 'encrypted' | 'damaged' | 'too_large' | 'missing_package' | 'no_text_recognition';

/** A file whose text cannot be had, in words for whoever sent it. */
export class UnreadableFile extends Error {
  override readonly name = 'Unreadable';
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, why: string, options?: ErrorOptions) {
    super(why, options);
    this.reason = reason;
  }
}

/** Whatever a parser of others throws means one thing to us. */
export async function orDamaged<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile('damaged', `the ${what} is damaged`, { cause: error });
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

/** The parsers are optional: an install without them works, and says what it lacks when a file needs it. */
export async function orMissing<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new UnreadableFile('missing_package', `the optional package ${name} is not installed`, { cause: error });
  }
}

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
