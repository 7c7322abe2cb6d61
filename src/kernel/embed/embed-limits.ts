/** Every bound of the embedders, unit last. */
export const embedLimits = {
  /** The longest text, in word pieces, that the model was trained with; what follows is left out. */
  piecesCount: 256,
  /** About as many characters of prose as fill the pieces, with some room for denser text. */
  minilmPartChars: 900,
  minilmQueueCount: 4_096,
  minilmQueriesCount: 64,
  /** The model leaves the memory when nobody has asked for so long. */
  minilmIdleMs: 3 * 60_000,
  minilmHeapMb: 128,
  minilmStackMb: 4,
  /** A request to a service: its texts, and how often and how soon it is tried again. */
  remotePartChars: 4_000,
  remoteTimeoutMs: 30_000,
  remoteTriesCount: 4,
  remoteRetryMs: 250,
  remoteRetryMostMs: 5_000,
  remoteAnswerBytes: 64 * 1024 * 1024,
} as const;
