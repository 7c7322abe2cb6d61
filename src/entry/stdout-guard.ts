import type { Writable } from 'node:stream';

/**
 * stdout belongs to the protocol. From here on whatever else writes to it (a library's console.log) lands on stderr;
 * only the stream below reaches it. Imported before everything else.
 */
const { stdout, stderr } = process;
const write = stdout.write.bind(stdout);
stdout.write = stderr.write.bind(stderr);

/** The real stdout, for the protocol and for the answers of commands. */
export const realStdout = Object.create(stdout, { write: { value: write } }) as Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};
