import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { cliFaults } from '#kernel/fault/cli-faults.ts';
import { limits } from '#kernel/limits.ts';
import type { Values } from './command.ts';

async function readAll(stream: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const piece = Buffer.from(chunk as Buffer | string);
    bytes += piece.length;
    if (bytes > limits.messageBytes)
      throw cliFaults.USAGE_ERROR({ why: `${name} is larger than ${limits.messageBytes} bytes` });
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The arguments as one JSON object, from a file or, with `-`, from stdin. */
export async function readInput(path: string, stdin: Readable): Promise<Values> {
  const name = path === '-' ? 'the input on stdin' : path;
  let text: string;
  try {
    text = await readAll(path === '-' ? stdin : createReadStream(path), name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw cliFaults.USAGE_ERROR({ why: `${path} cannot be read: ${(error as Error).message}` }, {}, { cause: error });
  }
  let found: unknown;
  try {
    found = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw cliFaults.USAGE_ERROR({ why: `${name} is not JSON: ${(error as Error).message}` });
  }
  if (found === null || typeof found !== 'object' || Array.isArray(found)) {
    throw cliFaults.USAGE_ERROR({ why: `${name} is not a JSON object` });
  }
  return found as Values;
}
