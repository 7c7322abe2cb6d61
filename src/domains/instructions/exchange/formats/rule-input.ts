import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalBody, foldCase } from '#kernel/text/normalise.ts';
import type { AppliesTo, InstructionInput } from '../../entry-model.ts';
import { instructionIdPattern } from '../../instruction-ids.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import { candidateMark } from '../../rules/candidates.ts';
import type { MappedField } from '../../rules/map-entry.ts';
import { proseLines, type Section } from './split-markdown.ts';

export const ruleFormats = [
  'entry-json',
  'agents',
  'claude',
  'cursorrules',
  'cursor-mdc',
  'copilot',
  'copilot-instructions',
  'skill',
] as const;
export type RuleFormat = (typeof ruleFormats)[number];

/** `path` is relative to the given folder, with `/` as separator. */
export interface RuleFile {
  readonly path: string;
  readonly format: RuleFormat;
  readonly text: string;
  /** The folder of the file that includes this one; its own folder by default. */
  readonly scope?: string;
}

export interface SkippedPart {
  /** The file, and the part of it where there are several. */
  readonly source: string;
  readonly reason: string;
}

export interface ParsedFile {
  readonly entries: readonly InstructionInput[];
  readonly skipped: readonly SkippedPart[];
  readonly warnings: readonly string[];
  /** Values of another catalog that were translated. */
  readonly mapped?: readonly (MappedField & { readonly id: string })[];
}

export const skippedFile = (source: string, reason: string): ParsedFile => ({
  entries: [],
  skipped: [{ source, reason }],
  warnings: [],
});

const idChars = 80;

/** `Code review & tests` → `code-review-tests`. Deterministic, on every machine. */
export function toStableId(title: string): string {
  const words = foldCase(title.normalize('NFKD'))
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let id = '';
  for (const word of words) {
    if (id.length + word.length + 1 > idChars) break;
    id = id === '' ? word : `${id}-${word}`;
  }
  if (id === '' && words.length > 0) id = words[0]!.slice(0, idChars);
  // For titles without Latin letters.
  return id === '' ? `rule-${sha256Hex(title).slice(0, 12)}` : id;
}

const toInstructionId = (text: string): string => (instructionIdPattern.test(text) ? text : toStableId(text));

/** The marker that an export writes: the id of the section, followed by a note about the rule. */
const mark = /^<!-- fourfold:([a-z0-9_-]{1,120}) -->.*\n?/;

export const renderMark = (id: string): string => `<!-- fourfold:${id} -->`;

export interface InputFields {
  readonly description?: string | undefined;
  readonly appliesTo?: AppliesTo | undefined;
  readonly categories?: readonly string[];
  readonly id?: string | undefined;
}

const binding = /\b(?:must|never|do not|don['’]t)\b/i;

/** Whether the text outside code forbids or demands something. */
const soundsMandatory = (body: string): boolean =>
  proseLines(body).some((line) => binding.test(line.replace(/`[^`]*`/g, '')));

/** Rules from files have no owner until somebody sets one, so none of them is mandatory yet. */
export function toRuleInput(file: RuleFile, { title, body }: Section, facts: InputFields = {}): InstructionInput {
  const marked = mark.exec(body)?.[1];
  const { description, appliesTo, categories = [] } = facts;
  const isMandatory = soundsMandatory(body);
  return {
    id: toInstructionId(marked ?? facts.id ?? toStableId(title)),
    title: title.slice(0, instructionLimits.titleChars),
    body: marked === undefined ? body : canonicalBody(body.replace(mark, '')),
    categories: ['imported', ...categories],
    // A rule that its author gives to every task is more than an option, whatever its words.
    ...(isMandatory || appliesTo?.always === true ? { requirement: 'recommended' } : {}),
    ...(description === undefined ? {} : { description: description.slice(0, instructionLimits.textFieldChars) }),
    ...(appliesTo === undefined ? {} : { appliesTo }),
    extensions: { source: { file: file.path, format: file.format }, ...(isMandatory ? candidateMark : {}) },
  };
}

/** The folder that a rule file is about. Hidden folders such as `.github` only say where a tool looks for the file. */
export function projectFolder(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const hidden = folders.findIndex((name) => name.startsWith('.'));
  return (hidden === -1 ? folders : folders.slice(0, hidden)).join('/');
}

export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `style-guide.mdc` → `style guide`. */
export const stemTitle = (path: string): string =>
  fileName(path)
    .replace(/(?:\.instructions)?\.(?:md|mdc|json)$/i, '')
    .replace(/^\./, '')
    .split(/[-_]/)
    .filter((word) => word !== '')
    .join(' ');
