/** Work that nobody waits for. */
export interface Background {
  start(): void;
  stop(): Promise<void>;
}

export const createBackground = (): Background => ({ start() {}, async stop() {} });
