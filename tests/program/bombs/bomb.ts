import type { Answer, Json, MeasuredProgram } from './measured-program.ts';

/** Input that is small or allowed, and expensive for a program that does not expect it. */
export interface Bomb {
  readonly name: string;
  /** More than the usual limit of a turn, where the work cannot be divided. */
  readonly heldMs?: number;
  /** Takes many seconds of CPU time, so the ordinary run leaves it out. */
  readonly isLong?: boolean;
  /** Sends it and resolves with the answer. */
  send(program: MeasuredProgram): Promise<Answer>;
}

export const callBomb = (name: string, tool: string, args: () => Json): Bomb => ({
  name,
  send: (program) => program.call(tool, args()),
});

/** A file that is uploaded and analysed. */
export const fileBomb = (name: string, fileName: string, build: () => string | Uint8Array): Bomb => ({
  name,
  send: (program) => program.call('upload_file', { file_path: program.putFile(fileName, build()) }),
});

/** A line that a client would not send. */
export const lineBomb = (name: string, print: (id: number) => string | Buffer): Bomb => ({
  name,
  send: (program) => program.sendLine(print),
});

export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

export const manyFields = (count: number, value: (i: number) => unknown = (i) => i): Json =>
  Object.fromEntries(times(count, (i) => [`f${i}`, value(i)]));

/** `depth` lists around one value. */
export function nestList(depth: number, value: unknown = 1): unknown {
  let nested = value;
  for (let i = 0; i < depth; i += 1) nested = [nested];
  return nested;
}

export const long = (bomb: Bomb): Bomb => ({ ...bomb, isLong: true });
