/** Those who want to know that something was committed. Wake-ups are coalesced; they carry nothing. */
export interface CommitSignal {
  subscribe(notify: () => void): () => void;
  wake(): void;
  stop(): void;
}

export interface CommitSignalDeps {
  /** Begins to look for the commits of other processes, when the first watcher comes. Answers how to stop. */
  listen(wake: () => void): () => void;
}

export function createCommitSignal({ listen }: CommitSignalDeps): CommitSignal {
  const wakes = new Set<() => void>();
  let unlisten: (() => void) | undefined;
  let isPending = false;

  function deliver(): void {
    isPending = false;
    for (const tell of wakes) tell();
  }

  function wake(): void {
    if (isPending || wakes.size === 0) return;
    isPending = true;
    setImmediate(deliver);
  }

  function stop(): void {
    unlisten?.();
    unlisten = undefined;
  }

  return {
    wake,
    stop() {
      wakes.clear();
      stop();
    },
    subscribe(newcomer) {
      // One entry a subscription: two that pass the same function are told twice, and end apart.
      const entry = () => newcomer();
      wakes.add(entry);
      unlisten ??= listen(wake);
      return () => {
        if (wakes.delete(entry) && wakes.size === 0) stop();
      };
    },
  };
}
