import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const youngSpaceLimits = {
  /** New objects get no more room than this. Most of ours live for one call, so more room is only more memory. */
  youngSpaceBytes: 8 * 1024 * 1024,
  /** Memory is favoured over speed once the catalog is loaded: while it loads nearly all that is made is kept. */
  thriftAfterMs: 2_000,
} as const;

let isBounded = false;

/**
 * V8 doubles the space of new objects while a program is busy, up to more than all that this one keeps. Its upper bound
 * can only be given to a new process, which the one who starts us does; but whether the space doubles once more is asked
 * each time, so the doubling ends when it has become large enough.
 */
export function boundYoungSpace(): void {
  if (isBounded) return;
  isBounded = true;
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young === undefined || young.space_size < youngSpaceLimits.youngSpaceBytes) return;
    observer.disconnect();
    setFlagsFromString('--semi-space-growth-factor=1');
  });
  observer.observe({ type: 'gc' });
  setTimeout(() => setFlagsFromString('--optimize-for-size'), youngSpaceLimits.thriftAfterMs).unref();
}
