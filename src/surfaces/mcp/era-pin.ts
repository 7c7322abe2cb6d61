import type { Era } from '#kernel/tool/fault-forms.ts';
import type { RequestId } from './protocol.ts';
import type { FastPathRequest } from './recognise.ts';

/**
 * A stdio connection belongs to the era in which it opened, and the SDK decides that by its own rules. Until the SDK
 * has seen a message, the fast path decides by the first request; afterwards it waits until the SDK has answered one.
 */
export interface EraPin {
  readonly era: Era | undefined;
  pin(era: Era): void;
  /** Whether the fast path may answer this one. */
  admits(request: FastPathRequest, isSdkEngaged: boolean): boolean;
  /** A request goes to the SDK: its answer decides the era. */
  watch(request: FastPathRequest): void;
  /** The SDK created a server for this era. */
  served(era: Era): void;
  answered(id: RequestId): void;
}

export function createEraPin(): EraPin {
  let pinned: Era | undefined;
  let servedEra: Era | undefined;
  let watchedId: RequestId | undefined;
  return {
    get era() {
      return pinned;
    },
    pin(era) {
      pinned = era;
    },
    admits({ kind, era }, isSdkEngaged) {
      // A probe decides nothing: the client may still choose the other era.
      if (kind === 'discover') return pinned === undefined && !isSdkEngaged;
      if (pinned === undefined && !isSdkEngaged) pinned = era;
      return pinned === era;
    },
    watch({ kind, id }) {
      if (pinned === undefined && kind !== 'discover') watchedId = id;
    },
    served(era) {
      servedEra = era;
    },
    answered(id) {
      if (pinned === undefined && id === watchedId) pinned = servedEra;
    },
  };
}
