/** A growing typed array: numbers in objects would take ten times the memory. */
export class GrowU32 {
  items = new Uint32Array(16);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) {
      const larger = new Uint32Array(this.items.length * 2);
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.length] = value;
    this.length += 1;
  }

  clear(): void {
    this.length = 0;
  }

  /** A copy of exactly the pushed values. */
  toArray(): Uint32Array {
    return this.items.slice(0, this.length);
  }
}

export class GrowBytes {
  items = new Uint8Array(64);
  length = 0;

  private reserve(count: number): void {
    const wanted = this.length + count;
    if (wanted <= this.items.length) return;
    const larger = new Uint8Array(Math.max(wanted, this.items.length * 2));
    larger.set(this.items);
    this.items = larger;
  }

  append(source: Uint8Array, from = 0, to = source.length): void {
    this.reserve(to - from);
    this.items.set(source.subarray(from, to), this.length);
    this.length += to - from;
  }

  push(byte: number): void {
    this.reserve(1);
    this.items[this.length] = byte;
    this.length += 1;
  }

  /** Seven bits per byte; the highest bit means that more bytes follow. */
  varint(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest > 127) {
      this.items[this.length] = (rest & 127) | 128;
      this.length += 1;
      rest >>>= 7;
    }
    this.items[this.length] = rest;
    this.length += 1;
  }

  toArray(): Uint8Array {
    return this.items.slice(0, this.length);
  }
}
