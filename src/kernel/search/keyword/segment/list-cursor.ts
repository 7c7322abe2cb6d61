import { countMax, formBits, formCountOf, type Segment } from './segment.ts';

/** Iterates over the rows of one list and their occurrences. */
export class ListCursor {
  private readonly segment: Segment;
  private readonly bits: number;
  private readonly end: number;
  private next: number;
  private at: number;
  /** Set by `advance`. */
  doc = -1;
  count = 0;
  /** Set by `step`. */
  position = 0;
  form = 0;

  constructor(segment: Segment, stem: number, list: number) {
    this.segment = segment;
    this.bits = formBits(formCountOf(segment, stem));
    this.next = segment.listRows[list]!;
    this.end = segment.listRows[list + 1]!;
    this.at = segment.listOccurrences[list]!;
  }

  /** Moves to the next row. Before that, call `step` `count` times or `skip` once. */
  advance(): boolean {
    if (this.next === this.end) return false;
    const row = this.segment.rows[this.next]!;
    this.next += 1;
    this.doc = row >>> 8;
    this.count = row & countMax;
    if (this.count === countMax) this.count = this.varint();
    this.position = 0;
    return true;
  }

  step(): void {
    const value = this.varint();
    this.position += value >>> this.bits;
    this.form = value & ((1 << this.bits) - 1);
  }

  skip(): void {
    const { occurrences } = this.segment;
    for (let left = this.count; left > 0; this.at += 1) if (occurrences[this.at]! < 128) left -= 1;
  }

  private varint(): number {
    const { occurrences } = this.segment;
    let byte = occurrences[this.at]!;
    this.at += 1;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = occurrences[this.at]!;
      this.at += 1;
      value |= (byte & 127) << shift;
    }
    return value >>> 0;
  }
}
