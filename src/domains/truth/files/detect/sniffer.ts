import { truthLimits } from '../../truth-limits.ts';
import type { FileKind } from '../file-kind.ts';
import { binaryKind, type Unsupported } from './binary-kind.ts';
import { textKind } from './text-kind.ts';

/** Watches a file pass by and says what it is. */
export interface Sniffer {
  see(chunk: Buffer): void;
  end(): FileKind | Unsupported;
}

const notText: Unsupported = {
  why: 'It is none of the types that can be stored, and no text in UTF-8 (or UTF-16 with a byte order mark) either',
};

const encodingOf = (head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
};

/** Whether all that passes is well-formed text without NUL; a character may lie across two chunks. */
function createTextWatch() {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isText = true;
  const decode = (chunk: Buffer | undefined): void => {
    if (!isText || decoder === undefined) return;
    try {
      if (decoder.decode(chunk, { stream: chunk !== undefined }).includes('\0')) isText = false;
    } catch {
      isText = false;
    }
  };
  return {
    see(chunk: Buffer) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      decode(chunk);
    },
    end() {
      decode(undefined);
      return isText;
    },
  };
}

const isArchive = (head: Buffer): boolean => head[0] === 0x50 && head[1] === 0x4b;

export function createSniffer(): Sniffer {
  const watch = createTextWatch();
  const { headBytes, tailBytes } = truthLimits;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let totalBytes = 0;

  return {
    see(chunk) {
      // A byte order mark is two bytes: the watch begins when both are there.
      const fresh = head.length === 1 ? Buffer.concat([head, chunk]) : chunk;
      totalBytes += chunk.length;
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      if (totalBytes < 2) return;
      watch.see(fresh);
      if (isArchive(head)) tail = Buffer.concat([tail, fresh]).subarray(-tailBytes);
    },
    end() {
      const binary = binaryKind(head, tail, totalBytes);
      if (binary !== undefined) return binary;
      if (totalBytes < 2) watch.see(head);
      const isText = watch.end();
      const kind = textKind(new TextDecoder(encodingOf(head)).decode(head), totalBytes <= headBytes);
      if (isText) return kind;
      // Mail may carry parts in any encoding; its header says which.
      return kind === 'eml' && !head.includes(0) ? kind : notText;
    },
  };
}
