/** Those who want to know that something was committed. Wake-ups are coalesced; they carry nothing. */
export interface Watchers {
  add(wake: () => void): () => void;
  wake(): void;
  stop(): void;
}

export interface WatchersDeps {
  /** How often `version` is asked while somebody watches. */
  readonly pollMs: number;
  /** A number that moves when another process commits. */
  version(): number;
}

export function createWatchers({ pollMs, version }: WatchersDeps): Watchers {
  const wakes = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let isPending = false;
  let lastVersion = 0;

  function deliver(): void {
    isPending = false;
    for (const wake of wakes) wake();
  }

  function wake(): void {
    if (isPending || wakes.size === 0) return;
    isPending = true;
    setImmediate(deliver);
  }

  function poll(): void {
    const found = version();
    if (found === lastVersion) return;
    lastVersion = found;
    wake();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    wake,
    stop,
    add(newcomer) {
      wakes.add(newcomer);
      if (timer === undefined) {
        lastVersion = version();
        timer = setInterval(poll, pollMs).unref();
      }
      return () => {
        wakes.delete(newcomer);
        if (wakes.size === 0) stop();
      };
    },
  };
}
