/**
 * The base URL of signed files. The surface that serves files registers itself here; the truth domain only reads it.
 */
export interface FilesAddress {
  /** Without a trailing slash. */
  baseUrl(): Promise<string>;
  /** `open` is called when the first URL is signed. */
  servedBy(open: () => Promise<string>): void;
}

/** `fallback`: the address of a server on the same data folder, for surfaces that serve no files. */
export function createFilesAddress(fallback: string): FilesAddress {
  let open = async (): Promise<string> => fallback;
  let opened: Promise<string> | undefined;
  return {
    baseUrl() {
      opened ??= open().catch((error: unknown) => {
        // A port that was in use may be free at the next call.
        opened = undefined;
        throw error;
      });
      return opened;
    },
    servedBy(other) {
      open = other;
      opened = undefined;
    },
  };
}
