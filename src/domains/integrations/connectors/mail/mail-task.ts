import type { Json } from '#kernel/json/canonical.ts';
import { defineTask } from '#kernel/workers/task.ts';

export interface MailInput {
  /** The message as the server has it, or its beginning. */
  readonly bytes: Uint8Array;
  /** Of the whole message. */
  readonly size: number;
}

export type MailOutput =
  | {
      readonly kind: 'mail';
      /** The same in every mailbox. */
      readonly id: string;
      readonly at: number | undefined;
      readonly fields: Readonly<Record<string, Json | undefined>>;
    }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'missing_package' };

export const mailTask = defineTask<MailInput, MailOutput>('integrations/read-mail');
