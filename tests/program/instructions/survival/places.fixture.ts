import { join } from 'node:path';
import {
  type OnFinished,
  type SharedPlace,
  type TablePlace,
  makeFilesPlace as toFilesPlace,
  makeTablePlace as toTablePlace,
} from '#tests/support/survival/places.ts';
import { mutationOn } from '../catalog-program.fixture.ts';

export interface CatalogPlace extends SharedPlace {
  /** The folder of entry files. */
  readonly entries: string;
}

const entriesIn = (folder: string): string => join(folder, 'instructions');
const envIn = (folder: string) => ({ INSTRUCTIONS_DIR: entriesIn(folder), ...mutationOn });

export function makeFilesPlace(onFinished: OnFinished): CatalogPlace {
  const place = toFilesPlace(onFinished, envIn);
  return { ...place, entries: entriesIn(place.folder) };
}

export async function makeTablePlace(onFinished: OnFinished): Promise<CatalogPlace & TablePlace> {
  const place = await toTablePlace(onFinished, envIn);
  return { ...place, entries: entriesIn(place.folder) };
}
