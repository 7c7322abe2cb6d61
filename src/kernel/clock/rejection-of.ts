/** For a race with work that cannot be cancelled: the caller does not wait for it once the signal aborts. */
export const rejectionOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
