import type { Cursors } from '#kernel/cursor/cursor.ts';
import { createForget } from './forget/forget.ts';
import type { Memories } from './memories.ts';
import { createRecall } from './recall/recall.ts';
import { createReceiptBook, type ReceiptBookDeps } from './receipts/receipt-book.ts';
import { createReceipts } from './receipts/receipts.ts';
import { createRemember, type RememberDeps } from './remember/remember.ts';

export interface ContextDeps extends RememberDeps, ReceiptBookDeps {
  readonly storage: RememberDeps['storage'];
  readonly memories: Memories;
  readonly cursors: () => Cursors;
}

export type Context = ReturnType<typeof createContext>;

/** Asks all four memories for what matters now, and keeps new things where they belong. */
export function createContext(deps: ContextDeps) {
  const book = deps.keepCount > 0 ? createReceiptBook(deps) : undefined;
  return {
    recall: createRecall({ ...deps, receipts: book }),
    receipts: createReceipts({ ...deps, book }),
    remember: createRemember(deps),
    forget: createForget(),
    close: async () => book?.flush(),
  };
}
