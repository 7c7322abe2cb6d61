import type { Era } from '#kernel/tool/fault-forms.ts';
import type { RequestId } from './protocol.ts';
import type { FastPathRequest } from './recognise.ts';

export type EraPin = ReturnType<typeof createEraPin>;

/**
 * A stdio connection belongs to the era in which it opened, and the SDK decides that by its own rules. Until the SDK
 * has seen a message, the fast path decides by the first request; afterwards it waits until the SDK has answered one.
 */
export function createEraPin() {
  let pinned: Era | undefined;
  let servedEra: Era | undefined;
  let watchedId: RequestId | undefined;
  return {
    get era() {
      return pinned;
    },
    pin(era: Era) {
      pinned = era;
    },
    /** Whether the fast path may answer this one. */
    admits({ kind, era }: FastPathRequest, isSdkEngaged: boolean) {
      // A probe decides nothing: the client may still choose the other era.
      if (kind === 'discover') return pinned === undefined && !isSdkEngaged;
      if (pinned === undefined && !isSdkEngaged) pinned = era;
      return pinned === era;
    },
    /** A request goes to the SDK: its answer decides the era. */
    watch({ kind, id }: FastPathRequest) {
      if (pinned === undefined && kind !== 'discover') watchedId = id;
    },
    /** The SDK created a server for this era. */
    served(era: Era) {
      servedEra = era;
    },
    answered(id: RequestId) {
      if (pinned === undefined && id === watchedId) pinned = servedEra;
    },
  };
}
