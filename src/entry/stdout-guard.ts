import type { Writable } from 'node:stream';

/**
 * stdout belongs to the protocol. Any other output to it (a library's console.log) goes to stderr; only the stream
 * below reaches it. Must be imported first.
 */
const { stdout, stderr } = process;
const write = stdout.write.bind(stdout);
stdout.write = stderr.write.bind(stderr);

/** The real stdout, for the protocol and for command output. */
export const realStdout = Object.create(stdout, { write: { value: write } }) as Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};
