/** Where signed files are served. The surface that serves them says so; the memory that signs only asks. */
export interface FilesAddress {
  /** Without a slash at its end. */
  baseUrl(): Promise<string>;
  /** `open` is called when the first address is signed. */
  servedBy(open: () => Promise<string>): void;
}

/** `fallback`: where a server of the same data folder would be, for whoever serves nothing himself. */
export function createFilesAddress(fallback: string): FilesAddress {
  let open = async (): Promise<string> => fallback;
  let opened: Promise<string> | undefined;
  return {
    baseUrl() {
      opened ??= open().catch((error: unknown) => {
        // A port that was taken may be free at the next call.
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
