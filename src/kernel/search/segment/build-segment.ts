import { scanTokens } from '../../text/tokens.ts';
import { type SearchDocument, textOf } from '../collection.ts';
import type { StemOf } from '../stemmer.ts';
import { isStopWord } from '../stop-words.ts';
import { compareByBytes, toKey } from './dictionary.ts';
import { facetKey, type Segment } from './segment.ts';
import { type ListRows, SegmentWriter } from './segment-writer.ts';

interface Rows extends ListRows {
  readonly docs: number[];
  readonly counts: number[];
  readonly positions: number[];
  readonly forms: number[];
  length: number;
}

interface StemEntry {
  readonly stem: string;
  readonly words: string[];
  readonly lists: (Rows | undefined)[];
}

/** Where a word leads: its stem's entry and its own number among the forms. */
interface WordEntry {
  readonly entry: StemEntry;
  readonly form: number;
}

/** Indexes documents with different ids. Rests after each, so that a caller can share the event loop. */
export function* buildSegment(
  fields: readonly string[],
  documents: readonly SearchDocument[],
  stemOf: StemOf,
): Generator<void, Segment> {
  const writer = new SegmentWriter(fields);
  const stems = new Map<string, StemEntry>();
  const words = new Map<string, WordEntry>();
  const facets = new Map<string, number[]>();

  function wordEntry(word: string): WordEntry {
    const stem = stemOf(word);
    let entry = stems.get(stem);
    if (entry === undefined) {
      entry = { stem, words: [], lists: fields.map(() => undefined) };
      stems.set(stem, entry);
    }
    const made = { entry, form: entry.words.push(word) - 1 };
    words.set(word, made);
    return made;
  }

  function addField(doc: number, field: number, text: string): number {
    let length = 0;
    scanTokens(text, (word, position, _start, _end, isWhole) => {
      if (isStopWord(word)) return;
      // A compound is an extra way to find its parts; it does not make the text longer.
      if (!isWhole) length += 1;
      const { entry, form } = words.get(word) ?? wordEntry(word);
      const rows = (entry.lists[field] ??= { docs: [], counts: [], positions: [], forms: [], length: 0 });
      if (rows.docs[rows.length - 1] === doc) rows.counts[rows.length - 1]! += 1;
      else {
        rows.docs.push(doc);
        rows.counts.push(1);
        rows.length += 1;
      }
      rows.positions.push(position);
      rows.forms.push(form);
    });
    return length;
  }

  function addFacets(doc: number, document: SearchDocument): void {
    for (const [key, values] of Object.entries(document.facets ?? {})) {
      for (const value of new Set(typeof values === 'string' ? [values] : values)) {
        const facet = facetKey(key, value);
        const docs = facets.get(facet);
        if (docs === undefined) facets.set(facet, [doc]);
        else docs.push(doc);
      }
    }
  }

  const ordered = documents.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const [doc, document] of ordered.entries()) {
    const lengths = fields.map((field, i) => addField(doc, i, textOf(document, field)));
    writer.addDocument(document.id, lengths);
    addFacets(doc, document);
    yield;
  }
  const stemNumbers = new Map<StemEntry, number>();
  for (const entry of inByteOrder(stems)) {
    const sorted = entry.words.length === 1 ? entry.words : entry.words.toSorted(compareByBytes);
    const formOf = sorted === entry.words ? [0] : entry.words.map((word) => sorted.indexOf(word));
    stemNumbers.set(entry, writer.addStem(toKey(entry.stem), sorted.length, formOf, entry.lists));
  }
  yield;
  for (const [word, { entry }] of entriesInByteOrder(words)) writer.addWord(toKey(word), stemNumbers.get(entry)!);
  for (const [facet, docs] of entriesInByteOrder(facets)) writer.addFacet(toKey(facet), docs, docs.length);
  return writer.finish();
}

const entriesInByteOrder = <T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...map].sort(([a], [b]) => compareByBytes(a, b));

const inByteOrder = <T>(map: ReadonlyMap<string, T>): readonly T[] => entriesInByteOrder(map).map(([, value]) => value);
