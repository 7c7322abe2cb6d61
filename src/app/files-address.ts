/**
 * The base URL of signed files. The surface that serves files registers itself here; the truth domain only reads it.
 * `fallback`: the address of a server on the same data folder, for surfaces that serve no files.
 */
export function createFilesAddress(fallback: string) {
  let open = async (): Promise<string> => fallback;
  let opened: Promise<string> | undefined;
  return {
    /** Without a trailing slash. */
    baseUrl(): Promise<string> {
      opened ??= open().catch((error: unknown) => {
        // A port that was in use may be free at the next call.
        opened = undefined;
        throw error;
      });
      return opened;
    },
    /** `other` is called when the first URL is signed. */
    servedBy(other: () => Promise<string>) {
      open = other;
      opened = undefined;
    },
  };
}
