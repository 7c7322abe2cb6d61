import { setTimeout as delay } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';

const pollMs = 10;
const quietPolls = 3;

/** Returns a function that resolves when the page has the answers to all its tool calls. */
export function watchCalls(page: Page): () => Promise<void> {
  let open = 0;
  const isCall = (request: Request): boolean => request.url().includes('/api/tools/');
  page.on('request', (request) => {
    if (isCall(request)) open += 1;
  });
  const onEnd = (request: Request): void => {
    if (isCall(request)) open -= 1;
  };
  page.on('requestfinished', onEnd);
  page.on('requestfailed', onEnd);
  return async () => {
    // An answer may lead to the next call.
    for (let quiet = 0; quiet < quietPolls; quiet = open === 0 ? quiet + 1 : 0) await delay(pollMs);
  };
}
