/** A terminal and npm may both forward one Ctrl-C; only a later signal counts as a second one. */
const echoMs = 500;

/** Resolves at the first signal; a second one ends the process immediately. */
export function untilSignalled(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (askedAt !== undefined && performance.now() - askedAt > echoMs) process.exit(1);
        askedAt ??= performance.now();
        resolve();
      });
    }
  });
}
