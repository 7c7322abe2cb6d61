import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { splitFences } from '#kernel/markup/fences.ts';

/** A code sample of the base, with the hidden lines that it needs. */
export interface Sample {
  /** The file and the number of the sample in it: `docs/v5/hooks.md:3`. */
  readonly location: string;
  readonly version: 'v4' | 'v5';
  readonly language: 'ts' | 'js' | 'json';
  readonly code: string;
}

const baseFolder = fileURLToPath(new URL('../../knowledge-base', import.meta.url));

/** A comment directly before the fence. */
const givenBefore = /<!-- given\n([\s\S]*)\n-->\s*$/;

const isCompiled = (language: string): language is Sample['language'] => ['ts', 'js', 'json'].includes(language);

export function samplesIn(path: string, text: string): readonly Sample[] {
  // Samples for both versions are compiled against the newer one.
  const version = /^version: v4$/m.test(text) ? 'v4' : 'v5';
  const samples: Sample[] = [];
  let before = '';
  for (const block of splitFences(text)) {
    if (block.kind === 'text') {
      before = block.text;
      continue;
    }
    const given = before.slice(before.lastIndexOf('<!-- given'));
    const hidden = givenBefore.exec(given)?.[1];
    before = '';
    if (!isCompiled(block.info)) continue;
    const code = hidden === undefined ? block.content : `${hidden}\n${block.content}`;
    samples.push({ location: `${path}:${samples.length + 1}`, version, language: block.info, code });
  }
  return samples;
}

const pagesOfBase = (): readonly string[] =>
  readdirSync(baseFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('templates'))
    .toSorted();

export const samplesOfBase = (): readonly Sample[] =>
  pagesOfBase().flatMap((path) => samplesIn(path, readFileSync(join(baseFolder, path), 'utf8')));
