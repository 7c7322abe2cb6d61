import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';

/** Where an imported rule came from and what the file said then. Kept as `source` in the extensions of the entry. */
export interface SourceMark {
  /** Relative to the project, with `/` as separator. */
  readonly file: string;
  readonly format: string;
  /** The name of the project's folder: the same file name occurs in many projects. */
  readonly project?: string | undefined;
  /** The folder that was imported, relative to the project, if it is not the project itself: scopes begin there. */
  readonly base?: string | undefined;
  /** The file that refers to this one. */
  readonly includedBy?: string | undefined;
  readonly title?: string | undefined;
  /** Of the text. Both the text and the entry are compared with it. */
  readonly hash?: string | undefined;
  /** Hashes of the other fields that come from the file: an entry that differs was changed by the lead. */
  readonly facts?: Readonly<Record<string, string>> | undefined;
}

/** The fields that a file determines, besides title and body. */
export const sourceFacts = ['appliesTo', 'description'] as const;
export type SourceFact = (typeof sourceFacts)[number];

const factHashChars = 16;

export const factHash = (value: unknown): string => sha256Hex(canonicalJson(value ?? null)).slice(0, factHashChars);

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Undefined when the entry was not imported from a rule file. Anybody may write extensions, so nothing is assumed. */
export function sourceMarkOf({ extensions }: Pick<InstructionInput, 'extensions'>): SourceMark | undefined {
  const source = extensions?.['source'];
  if (!isObject(source) || typeof source['file'] !== 'string') return undefined;
  const facts = isObject(source['facts']) ? source['facts'] : {};
  return {
    file: source['file'],
    format: textIn(source['format']) ?? '',
    project: textIn(source['project']),
    base: textIn(source['base']),
    includedBy: textIn(source['includedBy']),
    title: textIn(source['title']),
    hash: textIn(source['hash']),
    facts: Object.fromEntries(Object.entries(facts).flatMap(([key, value]) => (textIn(value) ? [[key, value]] : []))),
  } as SourceMark;
}

export type SourcePlace = Pick<SourceMark, 'file' | 'base' | 'includedBy'> & { readonly project: string };

/** The entry of a rule file, with everything that a later sync compares. Other entries stay as they are. */
export function withSourceMark(input: InstructionInput, place: SourcePlace): InstructionInput {
  const mark = sourceMarkOf(input);
  if (mark === undefined) return input;
  const facts = Object.fromEntries(
    sourceFacts.flatMap((fact) => (input[fact] === undefined ? [] : [[fact, factHash(input[fact])]])),
  );
  const source = {
    ...place,
    format: mark.format,
    title: input.title ?? input.id,
    hash: sha256Hex(input.body),
    facts,
  };
  return { ...input, extensions: { ...input.extensions, source } };
}

/** Whether the lead left the field as the file had it. */
export const isAsImported = (entry: InstructionEntry, mark: SourceMark, fact: SourceFact): boolean =>
  (mark.facts?.[fact] ?? factHash(undefined)) === factHash(entry[fact]);
