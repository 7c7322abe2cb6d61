/**
 * Lets many callers share few runs of a question whose answer gets old: each gets the answer of a run that began after it
 * asked. At most one run is under way and one waits.
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
    // The waiting run comes first, also in the moment between the end of one and its own beginning.
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
