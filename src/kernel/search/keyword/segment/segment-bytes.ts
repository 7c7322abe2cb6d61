import { openDictionary } from './dictionary.ts';
import type { Segment } from './segment.ts';

const magic = 0x34_53_46_46; // "FFS4" in the file
/**
 * Raise it when the layout, the tokens or the stemming change: older segments are then rebuilt from their documents.
 */
const version = 2;

/** Number arrays first, so that each begins at a multiple of four. This order is the layout. */
const numberSections = [
  'stemDocs',
  'stemLists',
  'stemForms',
  'wordStems',
  'forms',
  'listFields',
  'listRows',
  'listOccurrences',
  'rows',
  'facetRows',
  'facetDocs',
] as const;

const textSections = ['ids', 'stems', 'words', 'facets'] as const;

const padded = (length: number): number => (length + 3) & ~3;

type Numbers = Uint8Array | Uint32Array;

/** The header (magic, version, section lengths), then the sections. */
function sectionsOf(segment: Segment): readonly Numbers[] {
  const sections: readonly Numbers[] = [
    ...segment.lengths,
    ...numberSections.map((name) => segment[name]),
    ...textSections.map((name) => segment[name].at),
    ...textSections.map((name) => segment[name].bytes),
    segment.occurrences,
    Buffer.from(JSON.stringify(segment.fields), 'utf8'),
  ];
  const head = [
    magic,
    version,
    segment.fields.length,
    sections.length,
    ...sections.map(({ byteLength }) => byteLength),
  ];
  return [Uint32Array.from(head), ...sections];
}

export const encodedBytes = (segment: Segment): number =>
  sectionsOf(segment).reduce((sum, { byteLength }) => sum + padded(byteLength), 0);

/**
 * Little-endian, like every machine we support; others fail the check of the first number. Yields chunks of the given
 * size, the last one shorter, so that a large segment is never in one buffer or write.
 */
export function* encodeSegment(segment: Segment, chunkBytes: number): Generator<Uint8Array> {
  let left = encodedBytes(segment);
  let chunk = new Uint8Array(Math.min(chunkBytes, left));
  let at = 0;
  for (const section of sectionsOf(segment)) {
    const bytes = new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
    const end = padded(bytes.length);
    for (let from = 0; from < end; ) {
      const count = Math.min(end - from, chunk.length - at);
      // Padding stays zero.
      chunk.set(bytes.subarray(from, Math.min(from + count, bytes.length)), at);
      from += count;
      at += count;
      if (at < chunk.length) continue;
      yield chunk;
      left -= chunk.length;
      chunk = new Uint8Array(Math.min(chunkBytes, left));
      at = 0;
    }
  }
}

/**
 * Returns views over the bytes without copying. The bytes must begin at a multiple of four. Undefined if they are not a
 * segment.
 */
export function decodeSegment(bytes: Uint8Array): Segment | undefined {
  if (bytes.byteLength < 16) return undefined;
  const words = (at: number, length: number) => new Uint32Array(bytes.buffer, bytes.byteOffset + at, length >>> 2);
  const [foundMagic, foundVersion, fieldCount = 0, arrayCount = 0] = words(0, 16);
  if (foundMagic !== magic || foundVersion !== version) return undefined;
  const sizes = words(16, arrayCount * 4);
  let at = 16 + arrayCount * 4;
  let section = 0;
  const next = (): { at: number; length: number } => {
    const length = sizes[section]!;
    const place = { at, length };
    section += 1;
    at += padded(length);
    return place;
  };
  const nextNumbers = () => {
    const place = next();
    return words(place.at, place.length);
  };
  const nextBytes = () => {
    const place = next();
    return bytes.subarray(place.at, place.at + place.length);
  };
  const lengths = Array.from({ length: fieldCount }, nextNumbers);
  const numbers = Object.fromEntries(numberSections.map((name) => [name, nextNumbers()])) as Record<
    (typeof numberSections)[number],
    Uint32Array
  >;
  const [idStarts, stemStarts, wordStarts, facetStarts] = textSections.map(nextNumbers) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const [idBytes, stemBytes, wordBytes, facetBytes] = textSections.map(nextBytes) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const occurrences = nextBytes();
  const fields = JSON.parse(Buffer.from(nextBytes()).toString('utf8')) as readonly string[];
  return {
    docCount: idStarts.length - 1,
    fields,
    ids: { bytes: Buffer.from(idBytes.buffer, idBytes.byteOffset, idBytes.byteLength), at: idStarts },
    lengths,
    ...numbers,
    stems: openDictionary(stemBytes, stemStarts),
    words: openDictionary(wordBytes, wordStarts),
    facets: openDictionary(facetBytes, facetStarts),
    occurrences,
    byteCount: bytes.byteLength,
  };
}
