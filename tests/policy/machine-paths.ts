import { isInside, type SourceFile } from './tree.ts';

interface Word {
  readonly text: string;
  readonly why: string;
  /** Where it is forbidden; default: everywhere. */
  readonly places?: readonly string[];
}

/** Texts that belong to one machine or network and must not be published. */
const machineTexts: readonly Word[] = [
  { text: '/work/', why: 'a path of one machine' },
  { text: '/root/', why: 'a path of one machine' },
  {
    text: 'file:///',
    why: 'a path of one machine',
    places: ['docs', 'README.md', 'package-lock.json', 'package.json'],
  },
  { text: '/tmp/', why: 'a path that is not everywhere', places: ['docs', 'src', 'bin', 'README.md'] },
  { text: '"resolved": "http', why: 'the address of one registry', places: ['package-lock.json'] },
  { text: 'registry.npmjs.org', why: 'the address of one registry' },
  { text: 'npm.pkg.github.com', why: 'the address of one registry' },
  { text: 'deb.debian.org', why: 'the address of one mirror' },
  { text: '_authToken', why: 'a credential' },
  { text: 'BEGIN PRIVATE KEY', why: 'a credential' },
];

const applies = (path: string, { places }: Word): boolean =>
  places === undefined || places.some((place) => isInside(path, place));

/** `workspace/` does not match: a path starts at the beginning of a word. */
function holds(line: string, text: string): boolean {
  const at = line.indexOf(text);
  return at !== -1 && (!text.startsWith('/') || at === 0 || !/[\w.)}\]*@-]/.test(line[at - 1]!));
}

export const findMachinePaths = (files: readonly SourceFile[], words = machineTexts): readonly string[] =>
  files.flatMap(({ path, text }) => {
    const wanted = words.filter((word) => applies(path, word) && text.includes(word.text));
    if (wanted.length === 0) return [];
    return text
      .split('\n')
      .flatMap((line, i) =>
        wanted
          .filter((word) => holds(line, word.text))
          .map((word) => `${path}:${i + 1} contains ${word.why}: ${word.text}`),
      );
  });
