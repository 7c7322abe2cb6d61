export type UnreadableReason = 'encrypted' | 'damaged' | 'too_large' | 'missing_package' | 'no_text_recognition';

/** A file whose text cannot be had, in words for whoever sent it. */
export class Unreadable extends Error {
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
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('damaged', `the ${what} is damaged`, { cause: error });
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
    throw new Unreadable('missing_package', `the optional package ${name} is not installed`, { cause: error });
  }
}
