import type { MemoryName } from '../memories.ts';

/** An item of an answer. Its text is not kept: the memory has it, and forgetting it there must be enough. */
export interface ReceiptItem {
  readonly memory: MemoryName;
  readonly id: string;
  /** Its id in the change log, if that differs. */
  readonly log_id?: string;
  /** Of what an agent could read of it; differs if the content differs. */
  readonly hash: string;
  readonly score: number;
  readonly tokens: number;
  readonly cut?: true;
}

/** What `recall` answered, to whom and from which state of the store. */
export interface Receipt {
  readonly receipt_id: string;
  readonly arguments: {
    readonly task: string;
    readonly files?: readonly string[];
    readonly budget_tokens: number;
    readonly memories?: readonly MemoryName[];
    readonly at?: string;
    readonly namespace?: string;
  };
  readonly tokens: number;
  readonly incomplete?: true;
  /** The newest write of the tenant before the answer. */
  readonly seq: number;
  readonly items: readonly ReceiptItem[];
  readonly left_out?: Readonly<Record<string, number>>;
  /** The best of those that did not fit. */
  readonly left_out_items: readonly { readonly memory: MemoryName; readonly id: string; readonly score: number }[];
}

export interface StoredReceipt extends Receipt {
  readonly at: number;
  readonly actor: string;
}
