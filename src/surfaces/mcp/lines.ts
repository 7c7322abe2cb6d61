const newline = 0x0a;

export interface LineSink {
  line(bytes: Buffer): void;
  /** A line grew over the limit; the rest of it is thrown away, and the next line is read as usual. */
  oversized(): void;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** The last line need not end with a newline. */
  end(): void;
}

/** Cuts a byte stream into lines. What it holds of an unfinished line is never more than the limit. */
export function createLineSplitter(maxBytes: number, sink: LineSink): LineSplitter {
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
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        finish(chunk.subarray(from, at));
        from = at + 1;
      }
      hold(chunk.subarray(from));
    },
    end() {
      if (heldBytes > 0) finish(Buffer.alloc(0));
    },
  };
}
