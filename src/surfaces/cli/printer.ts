import type { Writable } from 'node:stream';

/** The only output of commands: answers to stdout, everything else to stderr. */
export interface Printer {
  out(text: string): void;
  err(text: string): void;
  /** The width of the terminal; Infinity for a file or a pipe, where nothing is truncated. */
  readonly columns: number;
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
}

type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

const terminalColumns = 100;

export function createPrinter(stdin: { readonly isTTY?: boolean }, stdout: Stream, stderr: Stream): Printer {
  // `fourfold tools | head` closes the pipe early; the rest of the output has no reader.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    columns: stdout.isTTY === true ? (stdout.columns ?? terminalColumns) : Number.POSITIVE_INFINITY,
    isTerminal: { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true },
  };
}

export function createRecordingPrinter(terminal: Partial<Printer['isTerminal']> & { readonly columns?: number } = {}) {
  const said = { out: '', err: '' };
  const { columns = Number.POSITIVE_INFINITY, ...isTerminal } = terminal;
  const printer: Printer = {
    out(text) {
      said.out += text;
    },
    err(text) {
      said.err += text;
    },
    columns,
    isTerminal: { stdin: false, stdout: false, stderr: false, ...isTerminal },
  };
  return { ...printer, said };
}
