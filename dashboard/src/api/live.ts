import type { Query, QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

export type LiveState = 'connecting' | 'live' | 'offline';

/** A busy server writes many times a second; the page follows at this pace. */
const refreshMs = 1_000;

/** A list that was scrolled further is not read again from its beginning for every change. */
const refreshedPagesCount = 10;

const isLive = ({ meta, state: { data } }: Query): boolean =>
  meta?.['isLive'] !== false &&
  ((data as { readonly pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0) <= refreshedPagesCount;

let state: LiveState = 'connecting';
const listeners = new Set<() => void>();
function setState(next: LiveState): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );

/** Refreshes what is on the screen when the store changes, from whichever process. Returns a function that ends it. */
export function followChanges(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAfterGap = false;
  const source = new EventSource('/api/events');

  function refreshSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void client.invalidateQueries({ predicate: isLive });
    }, refreshMs);
  }

  source.addEventListener('open', () => {
    setState('live');
    // Changes during the gap may have been missed.
    if (isAfterGap) refreshSoon();
    isAfterGap = false;
  });
  source.addEventListener('error', () => {
    setState('offline');
    isAfterGap = true;
  });
  source.addEventListener('change', refreshSoon);
  source.addEventListener('reset', refreshSoon);
  return () => {
    clearTimeout(timer);
    source.close();
    setState('connecting');
  };
}
