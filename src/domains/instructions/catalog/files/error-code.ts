import { faults } from '#kernel/fault/kernel-faults.ts';

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** A fault without a path in it. */
export const toFolderFault = (error: unknown) =>
  faults.STORE_UNAVAILABLE(
    { why: `the instructions folder cannot be used (${codeOf(error) || 'unknown error'})` },
    {},
    { cause: error },
  );
