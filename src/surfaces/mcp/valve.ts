import type { Readable } from 'node:stream';

/** A stream flows while nobody has a reason to hold it. */
export interface Valve<Reason> {
  hold(reason: Reason): void;
  release(reason: Reason): void;
}

export function createValve<Reason>(stream: Readable): Valve<Reason> {
  const reasons = new Set<Reason>();
  return {
    hold(reason) {
      reasons.add(reason);
      stream.pause();
    },
    release(reason) {
      if (reasons.delete(reason) && reasons.size === 0) stream.resume();
    },
  };
}
