export const embedLimits = {
  /** The longest text, in word pieces, that the model was trained with; the rest is ignored. */
  piecesCount: 256,
  /** About as many characters of prose as fill the pieces, with a margin for denser text. */
  minilmPartChars: 900,
  minilmQueueCount: 4_096,
  minilmQueriesCount: 64,
  /** The model is unloaded after being idle for this long. */
  minilmIdleMs: 3 * 60_000,
  /** Sooner for documents: callers do not wait until it is loaded again. */
  minilmDocumentsIdleMs: 10_000,
  minilmHeapMb: 128,
  minilmStackMb: 4,
  /** Requests to a remote service: batch size and retries. */
  remotePartChars: 4_000,
  remoteTimeoutMs: 30_000,
  remoteTriesCount: 4,
  remoteRetryMs: 250,
  remoteRetryMostMs: 5_000,
  remoteAnswerBytes: 64 * 1024 * 1024,
} as const;
