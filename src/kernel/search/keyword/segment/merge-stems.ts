import { compareByBytes, compareWords, type Dictionary } from './dictionary.ts';
import { ListCursor } from './list-cursor.ts';
import { RowCollector } from './list-rows.ts';
import { type Bits, type Segment, wordsOf } from './segment.ts';
import type { SegmentWriter } from './segment-writer.ts';

/** Yields each word of any dictionary in order, as its index in each (-1 if absent). */
export function* inOrder(dictionaries: readonly Dictionary[]): Generator<Int32Array> {
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
        places.fill(-1, 0, i);
        least = i;
      }
      places[i] = next[i]!;
    }
    if (least < 0) return;
    for (let i = 0; i < places.length; i += 1) if (places[i]! >= 0) next[i]! += 1;
    yield places;
  }
}

/** The bytes of the word, from any dictionary that has it. */
export function keyAtPlaces(dictionaries: readonly Dictionary[], places: Int32Array): Uint8Array {
  const from = places.findIndex((place) => place >= 0);
  const { bytes, at } = dictionaries[from]!;
  const place = places[from]!;
  return bytes.subarray(at[place], at[place + 1]! - 1);
}

export interface MergeInput {
  readonly segment: Segment;
  /** Documents that were changed or removed since; undefined if there are none. */
  readonly dead: Bits | undefined;
}

/** An input with the mapping to numbers of the result, filled in during the merge. */
export interface MergeSource extends MergeInput {
  /** The document's number in the result; -1 if it is dead. */
  readonly docOf: Int32Array;
  /** The result's field for each field; -1 if it no longer exists. */
  readonly fieldOf: readonly number[];
  /** The result's stem for each word that is still in use; -1 for the others. */
  readonly stemOfWord: Int32Array;
}

export const toMergeSource = (fields: readonly string[], { segment, dead }: MergeInput): MergeSource => ({
  segment,
  dead,
  docOf: new Int32Array(segment.docCount).fill(-1),
  fieldOf: segment.fields.map((field) => fields.indexOf(field)),
  stemOfWord: new Int32Array(segment.words.count).fill(-1),
});

/** Records for each source which words are still in use, and their stems. */
export function* mergeStems(
  writer: SegmentWriter,
  fieldCount: number,
  sources: readonly MergeSource[],
): Generator<void> {
  const lists = Array.from({ length: fieldCount }, () => new RowCollector());
  const dictionaries = sources.map(({ segment }) => segment.stems);
  for (const places of inOrder(dictionaries)) {
    const forms = collectForms(sources, places);
    let rowCount = 0;
    for (const [field, list] of lists.entries()) {
      list.clear();
      collectRows(list, field, sources, places, forms);
      rowCount += list.length;
    }
    if (rowCount > 0) {
      const stem = writer.addStem(keyAtPlaces(dictionaries, places), ...countUsed(forms), lists);
      markWords(sources, places, forms, stem);
    }
    yield;
  }
}

interface Forms {
  /** For each source: its form → the form among those of all sources. */
  readonly formOf: readonly (readonly number[])[];
  /** 1 for each form that a live document has. */
  readonly used: Uint8Array;
}

const onlyForm: readonly number[] = [0];

/** The forms of the stem in any source, in byte order. */
function collectForms(sources: readonly MergeSource[], places: Int32Array): Forms {
  const bySource = sources.map(({ segment }, i) => (places[i]! < 0 ? [] : wordsOf(segment, places[i]!)));
  const words = [...new Set(bySource.flat())];
  const used = new Uint8Array(words.length);
  if (words.length === 1) return { formOf: bySource.map(() => onlyForm), used };
  words.sort(compareByBytes);
  return { formOf: bySource.map((own) => own.map((word) => words.indexOf(word))), used };
}

/** Renumbers the remaining forms without gaps. */
function countUsed({ used }: Forms): [formCount: number, newFormOf: Uint32Array] {
  const newFormOf = new Uint32Array(used.length);
  let formCount = 0;
  for (let form = 0; form < used.length; form += 1) {
    newFormOf[form] = formCount;
    formCount += used[form]!;
  }
  return [formCount, newFormOf];
}

interface Run {
  readonly cursor: ListCursor;
  readonly docOf: Int32Array;
  readonly formOf: readonly number[];
  /** The result's number of the cursor's document; -1 at the end. */
  doc: number;
}

/** Brings the rows of one field from all sources into the order of the new document numbers. */
function collectRows(
  out: RowCollector,
  field: number,
  sources: readonly MergeSource[],
  places: Int32Array,
  { formOf, used }: Forms,
): void {
  const runs = openRuns(field, sources, places, formOf);
  while (runs.length > 0) {
    let least = 0;
    for (let i = 1; i < runs.length; i += 1) if (runs[i]!.doc < runs[least]!.doc) least = i;
    const run = runs[least]!;
    const { cursor } = run;
    out.addDoc(run.doc);
    for (let left = cursor.count; left > 0; left -= 1) {
      cursor.step();
      const form = run.formOf[cursor.form]!;
      used[form] = 1;
      out.addOccurrence(cursor.position, form);
    }
    run.doc = nextAlive(cursor, run.docOf);
    if (run.doc < 0) runs.splice(least, 1);
  }
}

function openRuns(field: number, sources: readonly MergeSource[], places: Int32Array, formOf: Forms['formOf']): Run[] {
  const runs: Run[] = [];
  for (const [i, { segment, docOf, fieldOf }] of sources.entries()) {
    const stem = places[i]!;
    if (stem < 0) continue;
    for (let list = segment.stemLists[stem]!; list < segment.stemLists[stem + 1]!; list += 1) {
      if (fieldOf[segment.listFields[list]!] !== field) continue;
      const cursor = new ListCursor(segment, stem, list);
      const doc = nextAlive(cursor, docOf);
      if (doc >= 0) runs.push({ cursor, docOf, formOf: formOf[i]!, doc });
    }
  }
  return runs;
}

function nextAlive(cursor: ListCursor, docOf: Int32Array): number {
  while (cursor.advance()) {
    const doc = docOf[cursor.doc]!;
    if (doc >= 0) return doc;
    cursor.skip();
  }
  return -1;
}

function markWords(sources: readonly MergeSource[], places: Int32Array, { formOf, used }: Forms, stem: number): void {
  for (const [i, { segment, stemOfWord }] of sources.entries()) {
    if (places[i]! < 0) continue;
    const from = segment.stemForms[places[i]!]!;
    const to = segment.stemForms[places[i]! + 1]!;
    for (let at = from; at < to; at += 1) {
      if (used[formOf[i]![at - from]!] === 1) stemOfWord[segment.forms[at]!] = stem;
    }
  }
}
