import { GrowU32 } from './grow.ts';
import type { ListRows } from './segment-writer.ts';

/** Collects the rows of one list; reused for the next stem. */
export class RowCollector implements ListRows {
  private readonly docList = new GrowU32();
  private readonly countList = new GrowU32();
  private readonly positionList = new GrowU32();
  private readonly formList = new GrowU32();

  /** Documents come in order, each followed by its occurrences. */
  addDoc(doc: number): void {
    this.docList.push(doc);
    this.countList.push(0);
  }

  addOccurrence(position: number, form: number): void {
    this.countList.items[this.countList.length - 1]! += 1;
    this.positionList.push(position);
    this.formList.push(form);
  }

  get lastDoc(): number {
    return this.length === 0 ? -1 : this.docList.items[this.length - 1]!;
  }

  clear(): void {
    this.docList.clear();
    this.countList.clear();
    this.positionList.clear();
    this.formList.clear();
  }

  get length(): number {
    return this.docList.length;
  }
  get docs(): Uint32Array {
    return this.docList.items;
  }
  get counts(): Uint32Array {
    return this.countList.items;
  }
  get positions(): Uint32Array {
    return this.positionList.items;
  }
  get forms(): Uint32Array {
    return this.formList.items;
  }
}
