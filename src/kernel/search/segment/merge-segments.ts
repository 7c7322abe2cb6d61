import { type Bits, hasBit } from './bits.ts';
import { compareWords, type Dictionary, wordAt } from './dictionary.ts';
import { GrowU32 } from './grow.ts';
import { ListCursor } from './list-cursor.ts';
import { RowCollector } from './list-rows.ts';
import { idAt, type Segment } from './segment.ts';
import { SegmentWriter } from './segment-writer.ts';

export interface MergeInput {
  readonly segment: Segment;
  /** Documents that were changed or removed since; undefined when there are none. */
  readonly dead: Bits | undefined;
}

interface Source extends MergeInput {
  /** The document's number in the result; -1 when it is dead. */
  readonly docOf: Int32Array;
  /** The result's field for each field here; -1 for one that no longer exists. */
  readonly fieldOf: readonly number[];
  /** The result's stem for each word that is still written somewhere; -1 for the others. */
  readonly stemOfWord: Int32Array;
}

/**
 * Makes one segment of several: without the dead, and as if its documents had been indexed together. Rests often, so that
 * a caller can share the event loop.
 */
export function* mergeSegments(fields: readonly string[], inputs: readonly MergeInput[]): Generator<void, Segment> {
  const writer = new SegmentWriter(fields);
  const sources = inputs.map((input) => toSource(fields, input));
  yield* mergeDocuments(writer, fields, sources);
  yield* mergeStems(writer, fields.length, sources);
  yield* mergeWords(writer, sources);
  yield* mergeFacets(writer, sources);
  return writer.finish();
}

const toSource = (fields: readonly string[], { segment, dead }: MergeInput): Source => ({
  segment,
  dead,
  docOf: new Int32Array(segment.docCount).fill(-1),
  fieldOf: segment.fields.map((field) => fields.indexOf(field)),
  stemOfWord: new Int32Array(segment.words.count).fill(-1),
});

function* mergeDocuments(writer: SegmentWriter, fields: readonly string[], sources: readonly Source[]): Generator<void> {
  const next = sources.map(() => 0);
  const ids = sources.map((source, i) => aliveFrom(source, next, i));
  for (let doc = 0; ; doc += 1) {
    let least = -1;
    for (let i = 0; i < sources.length; i += 1) {
      const id = ids[i];
      if (id !== undefined && (least < 0 || id < ids[least]!)) least = i;
    }
    if (least < 0) return;
    const { segment, docOf, fieldOf } = sources[least]!;
    const from = next[least]!;
    const lengths = fields.map((_, field) => segment.lengths[fieldOf.indexOf(field)]?.[from] ?? 0);
    writer.addDocument(ids[least]!, lengths);
    docOf[from] = doc;
    next[least] = from + 1;
    ids[least] = aliveFrom(sources[least]!, next, least);
    if ((doc & 255) === 0) yield;
  }
}

/** Moves past the dead; the id found there, or undefined at the end. */
function aliveFrom({ segment, dead }: Source, next: number[], i: number): string | undefined {
  let doc = next[i]!;
  while (dead !== undefined && doc < segment.docCount && hasBit(dead, doc)) doc += 1;
  next[i] = doc;
  return doc < segment.docCount ? idAt(segment, doc) : undefined;
}

/** Tells each word that any of the dictionaries holds, in order, with where it stands in each (-1: not there). */
function* inOrder(dictionaries: readonly Dictionary[]): Generator<Int32Array> {
  const next = dictionaries.map(() => 0);
  const places = new Int32Array(dictionaries.length);
  for (;;) {
    let least = -1;
    for (let i = 0; i < dictionaries.length; i += 1) {
      places[i] = -1;
      if (next[i] === dictionaries[i]!.count) continue;
      const order = least < 0 ? -1 : compareWords(dictionaries[i]!, next[i]!, dictionaries[least]!, next[least]!);
      if (order > 0) continue;
      if (order < 0) {
        for (let j = 0; j < i; j += 1) places[j] = -1;
        least = i;
      }
      places[i] = next[i]!;
    }
    if (least < 0) return;
    for (let i = 0; i < places.length; i += 1) if (places[i]! >= 0) next[i]! += 1;
    yield places;
  }
}

const keyAt = ({ bytes, at }: Dictionary, index: number): Uint8Array => bytes.subarray(at[index]!, at[index + 1]! - 1);

function* mergeStems(writer: SegmentWriter, fieldCount: number, sources: readonly Source[]): Generator<void> {
  const lists = Array.from({ length: fieldCount }, () => new RowCollector());
  for (const places of inOrder(sources.map(({ segment }) => segment.stems))) {
    const forms = collectForms(sources, places);
    const used = new Uint8Array(forms.words.length);
    let rowCount = 0;
    for (let field = 0; field < fieldCount; field += 1) {
      lists[field]!.clear();
      collectRows(lists[field]!, sources, places, field, forms.numberOf, used);
      rowCount += lists[field]!.length;
    }
    if (rowCount > 0) {
      const formOf = new Uint32Array(used.length);
      let formCount = 0;
      for (let form = 0; form < used.length; form += 1) {
        formOf[form] = formCount;
        if (used[form] === 1) formCount += 1;
      }
      const first = places.findIndex((place) => place >= 0);
      const key = keyAt(sources[first]!.segment.stems, places[first]!);
      const stem = writer.addStem(key, formCount, formOf, lists);
      markWords(sources, places, forms.numberOf, used, stem);
    }
    yield;
  }
}

interface Forms {
  readonly words: readonly string[];
  /** For each source: its form → the place in `words`. */
  readonly numberOf: readonly (readonly number[])[];
}

const onlyForm: readonly number[] = [0];

/** The forms that the stem has in any source, in byte order. */
function collectForms(sources: readonly Source[], places: Int32Array): Forms {
  const bySource = sources.map(({ segment }, i) => (places[i]! < 0 ? [] : formsAt(segment, places[i]!)));
  const words = [...new Set(bySource.flat())];
  if (words.length === 1) return { words, numberOf: bySource.map(() => onlyForm) };
  words.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return { words, numberOf: bySource.map((own) => own.map((word) => words.indexOf(word))) };
}

function formsAt(segment: Segment, stem: number): string[] {
  const words: string[] = [];
  for (let i = segment.stemForms[stem]!; i < segment.stemForms[stem + 1]!; i += 1) {
    words.push(wordAt(segment.words, segment.forms[i]!));
  }
  return words;
}

/** Brings the rows of one field from all sources into the order of the new document numbers. */
function collectRows(
  out: RowCollector,
  sources: readonly Source[],
  places: Int32Array,
  field: number,
  numberOf: Forms['numberOf'],
  used: Uint8Array,
): void {
  const cursors: { cursor: ListCursor; docOf: Int32Array; numberOf: readonly number[]; doc: number }[] = [];
  for (let i = 0; i < sources.length; i += 1) {
    const { segment, docOf, fieldOf } = sources[i]!;
    const stem = places[i]!;
    if (stem < 0) continue;
    for (let list = segment.stemLists[stem]!; list < segment.stemLists[stem + 1]!; list += 1) {
      if (fieldOf[segment.listFields[list]!] !== field) continue;
      const entry = { cursor: new ListCursor(segment, stem, list), docOf, numberOf: numberOf[i]!, doc: -1 };
      entry.doc = nextAlive(entry.cursor, docOf);
      if (entry.doc >= 0) cursors.push(entry);
    }
  }
  while (cursors.length > 0) {
    let least = 0;
    for (let i = 1; i < cursors.length; i += 1) if (cursors[i]!.doc < cursors[least]!.doc) least = i;
    const entry = cursors[least]!;
    const { cursor } = entry;
    out.addDoc(entry.doc);
    for (let left = cursor.count; left > 0; left -= 1) {
      cursor.step();
      const form = entry.numberOf[cursor.form]!;
      used[form] = 1;
      out.addOccurrence(cursor.position, form);
    }
    entry.doc = nextAlive(cursor, entry.docOf);
    if (entry.doc < 0) cursors.splice(least, 1);
  }
}

function nextAlive(cursor: ListCursor, docOf: Int32Array): number {
  while (cursor.advance()) {
    const doc = docOf[cursor.doc]!;
    if (doc >= 0) return doc;
    cursor.skip();
  }
  return -1;
}

function markWords(
  sources: readonly Source[],
  places: Int32Array,
  numberOf: Forms['numberOf'],
  used: Uint8Array,
  stem: number,
): void {
  for (let i = 0; i < sources.length; i += 1) {
    if (places[i]! < 0) continue;
    const { segment, stemOfWord } = sources[i]!;
    const from = segment.stemForms[places[i]!]!;
    const to = segment.stemForms[places[i]! + 1]!;
    for (let at = from; at < to; at += 1) {
      if (used[numberOf[i]![at - from]!] === 1) stemOfWord[segment.forms[at]!] = stem;
    }
  }
}

function* mergeWords(writer: SegmentWriter, sources: readonly Source[]): Generator<void> {
  let count = 0;
  for (const places of inOrder(sources.map(({ segment }) => segment.words))) {
    // A word used in one source only may stand, dead, in another: any source that knows its stem tells it.
    const from = places.findIndex((place, i) => place >= 0 && sources[i]!.stemOfWord[place]! >= 0);
    if (from >= 0) {
      const { segment, stemOfWord } = sources[from]!;
      writer.addWord(keyAt(segment.words, places[from]!), stemOfWord[places[from]!]!);
    }
    count += 1;
    if ((count & 255) === 0) yield;
  }
}

function* mergeFacets(writer: SegmentWriter, sources: readonly Source[]): Generator<void> {
  const docs = new GrowU32();
  for (const places of inOrder(sources.map(({ segment }) => segment.facets))) {
    docs.clear();
    for (let i = 0; i < sources.length; i += 1) {
      const { segment, docOf } = sources[i]!;
      if (places[i]! < 0) continue;
      for (let at = segment.facetRows[places[i]!]!; at < segment.facetRows[places[i]! + 1]!; at += 1) {
        const doc = docOf[segment.facetDocs[at]!]!;
        if (doc >= 0) docs.push(doc);
      }
    }
    if (docs.length > 0) {
      const sorted = docs.toArray().sort();
      const first = places.findIndex((place) => place >= 0);
      writer.addFacet(keyAt(sources[first]!.segment.facets, places[first]!), sorted, sorted.length);
    }
    yield;
  }
}
