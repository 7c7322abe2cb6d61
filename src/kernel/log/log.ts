export type LogFields = Readonly<Record<string, unknown>>;

/** Structured lines to stderr or a file; stdout belongs to the protocol. Fields never hold secrets or personal data. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A log for tests that keeps its lines. */
export function createLogFixture(): Log & {
  readonly lines: { level: keyof Log; fields: LogFields; message: string }[];
} {
  const lines: { level: keyof Log; fields: LogFields; message: string }[] = [];
  const keep = (level: keyof Log) => (fields: LogFields, message: string) =>
    void lines.push({ level, fields, message });
  return { lines, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}
