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

/** The browser tries again by itself only if a connection breaks, not if the answer is an error. */
const retryMs = 2_000;

/**
 * Refreshes what is on the screen when the store changes, from whichever process. Returns a function that ends it. A hidden
 * tab has no stream: browsers allow six connections to a server, and with six tabs none would be left for calls.
 */
export function followChanges(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isAfterGap = false;
  let source: EventSource | undefined;

  function refreshSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void client.invalidateQueries({ predicate: isLive });
    }, refreshMs);
  }

  function open(): void {
    const stream = new EventSource('/api/events');
    source = stream;
    stream.addEventListener('open', () => {
      setState('live');
      // Changes during the gap may have been missed.
      if (isAfterGap) refreshSoon();
      isAfterGap = false;
    });
    stream.addEventListener('error', () => {
      setState('offline');
      isAfterGap = true;
      if (stream.readyState !== EventSource.CLOSED) return;
      retry = setTimeout(open, retryMs);
      // The session may have ended: then this answer leads to the sign-in.
      void client.invalidateQueries({ queryKey: ['tool', 'caller_show'] });
    });
    stream.addEventListener('change', refreshSoon);
    stream.addEventListener('reset', refreshSoon);
  }

  function close(): void {
    clearTimeout(timer);
    clearTimeout(retry);
    timer = undefined;
    source?.close();
    setState('connecting');
  }

  function onVisibility(): void {
    close();
    isAfterGap = true;
    if (!document.hidden) open();
  }

  document.addEventListener('visibilitychange', onVisibility);
  if (!document.hidden) open();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
