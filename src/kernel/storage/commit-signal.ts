/** Notifies subscribers of commits. Wake-ups are coalesced and carry no data. */
export interface CommitSignal {
  subscribe(notify: () => void): () => void;
  wake(): void;
  stop(): void;
}

export interface CommitSignalDeps {
  /**
   * Starts to watch for commits of other processes, when the first subscriber comes. Returns a function that stops it.
   */
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
      // A new function for each subscription: the same callback passed twice is called twice and unsubscribes
      // separately.
      const entry = () => newcomer();
      wakes.add(entry);
      unlisten ??= listen(wake);
      return () => {
        if (wakes.delete(entry) && wakes.size === 0) stop();
      };
    },
  };
}
