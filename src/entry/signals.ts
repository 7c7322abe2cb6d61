/** A terminal and npm may both pass on one Ctrl-C; only a later signal is a second wish. */
const echoMs = 500;

/** Resolves at the first request to end; a second one ends the process at once. */
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
