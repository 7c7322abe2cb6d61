import { truthLimits } from '../../truth-limits.ts';

export type UnreadableReason = 'encrypted' | 'damaged' | 'too_large' | 'missing_package' | 'no_text_recognition';

/** The message is shown to the caller. */
export class UnreadableFile extends Error {
  override readonly name = 'Unreadable';
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, why: string, options?: ErrorOptions) {
    super(why, options);
    this.reason = reason;
  }
}

/** Any error of a third-party parser means that the file is damaged. */
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

/** The parsers are optional packages; the error names the missing one. */
export async function orMissing<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new UnreadableFile('missing_package', `the optional package ${name} is not installed`, { cause: error });
  }
}

export interface ExtractedText {
  readonly text: string;
  readonly isCut: boolean;
  /** The title in the file itself, such as the subject of a mail. */
  readonly title?: string;
}

export function createBoundedText(charsMax: number = truthLimits.textChars) {
  const lines: string[] = [];
  let chars = 0;
  let isCut = false;
  return {
    /** False if the limit is reached. */
    add(line: string): boolean {
      if (isCut) return false;
      const leftChars = charsMax - chars;
      if (line.length > leftChars) {
        isCut = true;
        if (leftChars > 0) lines.push(cutText(line, leftChars));
        return false;
      }
      lines.push(line);
      chars += line.length + 1;
      return true;
    },
    end: (): ExtractedText => ({ text: lines.join('\n'), isCut }),
  };
}

/** Does not cut a surrogate pair: a store rejects half of one. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const last = text.charCodeAt(charsMax - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? charsMax - 1 : charsMax);
}
