import { openDictionary } from './dictionary.ts';
import { GrowBytes, GrowU32 } from './grow.ts';
import { countMax, docCountMax, formBits, type Segment } from './segment.ts';

/** The rows of one stem in one field, in document order; each document has `counts` consecutive positions and forms. */
export interface ListRows {
  readonly docs: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
  readonly positions: ArrayLike<number>;
  readonly forms: ArrayLike<number>;
  readonly length: number;
}

/** Lays out stems, words and facets, which arrive in byte order. Used for building and for merging. */
export class SegmentWriter {
  private readonly fields: readonly string[];
  private readonly ids: GrowBytes = new GrowBytes();
  private readonly idAt = new GrowU32();
  private readonly lengths: readonly GrowU32[];
  private readonly stems = new GrowBytes();
  private readonly stemAt = new GrowU32();
  private readonly stemDocs = new GrowU32();
  private readonly stemLists = new GrowU32();
  private readonly stemForms = new GrowU32();
  private formCount = 0;
  private readonly words = new GrowBytes();
  private readonly wordAt = new GrowU32();
  private readonly wordStems = new GrowU32();
  private readonly listFields = new GrowU32();
  private readonly listRows = new GrowU32();
  private readonly listOccurrences = new GrowU32();
  private readonly rows = new GrowU32();
  private readonly occurrences = new GrowBytes();
  private readonly facets = new GrowBytes();
  private readonly facetAt = new GrowU32();
  private readonly facetRows = new GrowU32();
  private readonly facetDocs = new GrowU32();
  /** The last stem counted, per document. */
  private lastStem = new Uint32Array(0);

  constructor(fields: readonly string[]) {
    this.fields = fields;
    this.lengths = fields.map(() => new GrowU32());
  }

  addDocument(id: string, lengths: ArrayLike<number>): void {
    if (this.idAt.length === docCountMax) throw new Error('bug: a segment has more documents than a row can number');
    this.idAt.push(this.ids.length);
    this.ids.append(Buffer.from(id, 'utf8'));
    for (let field = 0; field < this.lengths.length; field += 1) this.lengths[field]!.push(lengths[field]!);
  }

  /** Returns the stem's number. Add all documents first. `formOf` maps the forms of the lists. */
  addStem(
    key: Uint8Array,
    formCount: number,
    formOf: ArrayLike<number>,
    lists: readonly (ListRows | undefined)[],
  ): number {
    const stem = this.stemAt.length;
    if (this.lastStem.length < this.idAt.length) this.lastStem = new Uint32Array(this.idAt.length);
    this.stemAt.push(this.stems.length);
    this.stems.append(key);
    this.stems.push(0);
    this.stemLists.push(this.listFields.length);
    this.stemForms.push(this.formCount);
    this.formCount += formCount;
    const bits = formBits(formCount);
    let docCount = 0;
    for (let field = 0; field < lists.length; field += 1) {
      const list = lists[field];
      if (list !== undefined && list.length > 0) docCount += this.addList(stem, field, bits, formOf, list);
    }
    this.stemDocs.push(docCount);
    return stem;
  }

  /** Returns how many documents were new to the stem. */
  private addList(stem: number, field: number, bits: number, formOf: ArrayLike<number>, list: ListRows): number {
    const { docs, counts, positions, forms } = list;
    this.listFields.push(field);
    this.listRows.push(this.rows.length);
    this.listOccurrences.push(this.occurrences.length);
    let newCount = 0;
    let at = 0;
    for (let i = 0; i < list.length; i += 1) {
      const doc = docs[i]!;
      const count = counts[i]!;
      this.rows.push(((doc << 8) | Math.min(count, countMax)) >>> 0);
      if (count >= countMax) this.occurrences.varint(count);
      let last = 0;
      for (const end = at + count; at < end; at += 1) {
        const position = positions[at]!;
        this.occurrences.varint(bits === 0 ? position - last : ((position - last) << bits) | formOf[forms[at]!]!);
        last = position;
      }
      if (this.lastStem[doc] !== stem + 1) newCount += 1;
      this.lastStem[doc] = stem + 1;
    }
    return newCount;
  }

  addWord(key: Uint8Array, stem: number): void {
    this.wordAt.push(this.words.length);
    this.words.append(key);
    this.words.push(0);
    this.wordStems.push(stem);
  }

  addFacet(key: Uint8Array, docs: ArrayLike<number>, count: number): void {
    this.facetAt.push(this.facets.length);
    this.facets.append(key);
    this.facets.push(0);
    this.facetRows.push(this.facetDocs.length);
    for (let i = 0; i < count; i += 1) this.facetDocs.push(docs[i]!);
  }

  finish(): Segment {
    const docCount = this.idAt.length;
    this.idAt.push(this.ids.length);
    this.stemAt.push(this.stems.length);
    this.stemLists.push(this.listFields.length);
    this.stemForms.push(this.formCount);
    this.wordAt.push(this.words.length);
    this.listRows.push(this.rows.length);
    this.listOccurrences.push(this.occurrences.length);
    this.facetAt.push(this.facets.length);
    this.facetRows.push(this.facetDocs.length);
    const idBytes = this.ids.toArray();
    const stemForms = this.stemForms.toArray();
    const wordStems = this.wordStems.toArray();
    const arrays = {
      lengths: this.lengths.map((lengths) => lengths.toArray()),
      stemDocs: this.stemDocs.toArray(),
      stemLists: this.stemLists.toArray(),
      stemForms,
      wordStems,
      forms: groupForms(stemForms, wordStems),
      listFields: this.listFields.toArray(),
      listRows: this.listRows.toArray(),
      listOccurrences: this.listOccurrences.toArray(),
      rows: this.rows.toArray(),
      occurrences: this.occurrences.toArray(),
      facetRows: this.facetRows.toArray(),
      facetDocs: this.facetDocs.toArray(),
    };
    const ids = { bytes: Buffer.from(idBytes.buffer, idBytes.byteOffset, idBytes.byteLength), at: this.idAt.toArray() };
    const stems = openDictionary(this.stems.toArray(), this.stemAt.toArray());
    const words = openDictionary(this.words.toArray(), this.wordAt.toArray());
    const facets = openDictionary(this.facets.toArray(), this.facetAt.toArray());
    const segment = { docCount, fields: this.fields, ids, stems, words, facets, ...arrays, byteCount: 0 };
    return { ...segment, byteCount: byteCountOf(segment) };
  }
}

/** Words arrive in byte order, so the forms of each stem do too: occurrences number them in that order. */
function groupForms(stemForms: Uint32Array, wordStems: Uint32Array): Uint32Array {
  const forms = new Uint32Array(wordStems.length);
  const next = stemForms.slice();
  for (let word = 0; word < wordStems.length; word += 1) {
    const stem = wordStems[word]!;
    forms[next[stem]!] = word;
    next[stem]! += 1;
  }
  return forms;
}

function byteCountOf(segment: Segment): number {
  let sum = 0;
  const add = (array: Uint8Array | Uint32Array) => {
    sum += array.byteLength;
  };
  for (const { bytes, at } of [segment.ids, segment.stems, segment.words, segment.facets]) {
    add(bytes);
    add(at);
  }
  for (const lengths of segment.lengths) add(lengths);
  for (const array of [segment.stemDocs, segment.stemLists, segment.stemForms, segment.wordStems, segment.forms])
    add(array);
  for (const array of [segment.listFields, segment.listRows, segment.listOccurrences, segment.rows]) add(array);
  for (const array of [segment.occurrences, segment.facetRows, segment.facetDocs]) add(array);
  return sum;
}
