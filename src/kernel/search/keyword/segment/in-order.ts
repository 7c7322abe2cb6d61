import { compareWords, type Dictionary } from './dictionary.ts';

/** Tells each word that any of the dictionaries holds, in order, by where it stands in each (-1: not there). */
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

/** The bytes of the word at these places, from whichever dictionary has it. */
export function keyAtPlaces(dictionaries: readonly Dictionary[], places: Int32Array): Uint8Array {
  const from = places.findIndex((place) => place >= 0);
  const { bytes, at } = dictionaries[from]!;
  const place = places[from]!;
  return bytes.subarray(at[place], at[place + 1]! - 1);
}
