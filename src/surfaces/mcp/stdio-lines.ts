import type { Writable } from 'node:stream';

interface OutboxEvents {
  /** The reader is slow: accept no more input until `drained`. */
  full(): void;
  drained(): void;
  /** The reader is gone; later messages are dropped. */
  broken(error: Error): void;
}

/**
 * Latin-1 has the same bytes for ASCII, which most answers are. For UTF-8, Node reserves three bytes per character and
 * copies what does not fit its stack; Latin-1 of that size is written directly.
 */
const encodingOf = (text: string): 'latin1' | 'utf8' => (Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8');

export function createOutbox(stdout: Writable, events: OutboxEvents) {
  let waiting = '';
  let isScheduled = false;
  let isBroken = false;

  stdout.on('error', (error) => {
    if (isBroken) return;
    isBroken = true;
    events.broken(error);
  });
  stdout.on('drain', events.drained);

  function write(): void {
    isScheduled = false;
    const text = waiting;
    waiting = '';
    if (text !== '' && !isBroken && !stdout.write(text, encodingOf(text))) events.full();
  }

  return {
    /** One message; all messages of one event-loop turn leave in one write. */
    send(text: string) {
      waiting += `${text}\n`;
      if (isScheduled) return;
      isScheduled = true;
      // Runs when the promises of this turn have settled, so the answers to one chunk of input leave together.
      process.nextTick(write);
    },
    /** Resolves when everything sent has left, or can no longer leave. */
    async flushed() {
      write();
      if (isBroken || stdout.destroyed || stdout.writableEnded) return;
      await new Promise<void>((resolve) => {
        stdout.once('error', () => resolve());
        stdout.once('close', () => resolve());
        stdout.write('', () => resolve());
      });
    },
  };
}

const newline = 0x0a;

export interface LineSink {
  line(bytes: Buffer): void;
  /** A line exceeded the limit; the rest of it is dropped and the next line is read as usual. */
  oversized(): void;
}

/** Splits a byte stream into lines, and buffers no more of an unfinished line than the limit. */
export function createLineSplitter(maxBytes: number, sink: LineSink) {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isSkipping = false;

  function finish(last: Buffer): void {
    if (isSkipping) {
      isSkipping = false;
      return;
    }
    if (heldBytes + last.length > maxBytes) sink.oversized();
    else if (heldBytes === 0) sink.line(last);
    else sink.line(Buffer.concat([...held, last]));
    held = [];
    heldBytes = 0;
  }

  function hold(part: Buffer): void {
    if (isSkipping || part.length === 0) return;
    heldBytes += part.length;
    if (heldBytes <= maxBytes) {
      held.push(part);
      return;
    }
    held = [];
    heldBytes = 0;
    isSkipping = true;
    sink.oversized();
  }

  return {
    push(chunk: Buffer) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        finish(chunk.subarray(from, at));
        from = at + 1;
      }
      hold(chunk.subarray(from));
    },
    /** The last line may lack a newline. */
    end() {
      if (heldBytes > 0) finish(Buffer.alloc(0));
    },
  };
}
