import { GrowU32 } from './grow.ts';
import { inOrder, keyAtPlaces, type MergeInput, type MergeSource, mergeStems, toMergeSource } from './merge-stems.ts';
import { hasBit, idAt, type Segment } from './segment.ts';
import { SegmentWriter } from './segment-writer.ts';

/**
 * Merges segments without their dead documents, as if the others had been indexed together. Yields often, so that the
 * caller can share the event loop.
 */
export function* mergeSegments(fields: readonly string[], inputs: readonly MergeInput[]): Generator<void, Segment> {
  const writer = new SegmentWriter(fields);
  const sources = inputs.map((input) => toMergeSource(fields, input));
  yield* mergeDocuments(writer, fields, sources);
  yield* mergeStems(writer, fields.length, sources);
  yield* mergeWords(writer, sources);
  yield* mergeFacets(writer, sources);
  return writer.finish();
}

function* mergeDocuments(
  writer: SegmentWriter,
  fields: readonly string[],
  sources: readonly MergeSource[],
): Generator<void> {
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
    yield;
  }
}

/** Skips dead documents; returns the next id, or undefined at the end. */
function aliveFrom({ segment, dead }: MergeSource, next: number[], i: number): string | undefined {
  let doc = next[i]!;
  while (dead !== undefined && doc < segment.docCount && hasBit(dead, doc)) doc += 1;
  next[i] = doc;
  return doc < segment.docCount ? idAt(segment, doc) : undefined;
}

function* mergeWords(writer: SegmentWriter, sources: readonly MergeSource[]): Generator<void> {
  const dictionaries = sources.map(({ segment }) => segment.words);
  for (const places of inOrder(dictionaries)) {
    // A word may be dead in one source and alive in another: take the stem from any source that has one.
    const from = places.findIndex((place, i) => place >= 0 && sources[i]!.stemOfWord[place]! >= 0);
    if (from >= 0) writer.addWord(keyAtPlaces(dictionaries, places), sources[from]!.stemOfWord[places[from]!]!);
    yield;
  }
}

function* mergeFacets(writer: SegmentWriter, sources: readonly MergeSource[]): Generator<void> {
  const docs = new GrowU32();
  const dictionaries = sources.map(({ segment }) => segment.facets);
  for (const places of inOrder(dictionaries)) {
    docs.clear();
    for (const [i, { segment, docOf }] of sources.entries()) {
      if (places[i]! < 0) continue;
      for (let at = segment.facetRows[places[i]!]!; at < segment.facetRows[places[i]! + 1]!; at += 1) {
        const doc = docOf[segment.facetDocs[at]!]!;
        if (doc >= 0) docs.push(doc);
      }
    }
    if (docs.length > 0) writer.addFacet(keyAtPlaces(dictionaries, places), docs.toArray().sort(), docs.length);
    yield;
  }
}
