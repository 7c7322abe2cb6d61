/**
 * Lets many callers share few runs of a read that goes stale: each gets the result of a run that began after its call.
 * At most one run is active and one waits.
 */
export function coalesce<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    const started = run().finally(() => {
      if (current === started) current = undefined;
    });
    current = started;
    return started;
  }

  return () => {
    // The waiting run goes first, even between the end of one run and its own start.
    if (next !== undefined) return next;
    if (current === undefined) return start();
    next = current
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
