import { defineTask } from '#kernel/workers/task.ts';
import type { Analysis } from '../analyse/document-text.ts';
import type { FileKind } from '../file-kind.ts';
import type { UnreadableReason } from './extracted-text.ts';

export interface ExtractInput {
  readonly path: string;
  readonly kind: FileKind;
  readonly fileName: string;
}

export type ExtractOutput =
  | { readonly ok: true; readonly analysis: Analysis }
  | { readonly ok: false; readonly reason: UnreadableReason; readonly why: string };

export const extractTask = defineTask<ExtractInput, ExtractOutput>('truth/extract');
