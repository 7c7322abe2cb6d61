import { canonicalBody } from '#kernel/text/normalise.ts';
import type { AppliesTo, InstructionInput } from '../../entry-model.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import type { RuleFile } from './parsed-file.ts';
import type { Section } from './split-markdown.ts';
import { toInstructionId, toStableId } from './stable-id.ts';

/** Left by an export: the id that a section had, and beside it what the export says about the rule. */
const mark = /^<!-- fourfold:([a-z0-9_-]{1,120}) -->.*\n?/;

export const renderMark = (id: string): string => `<!-- fourfold:${id} -->`;

export interface InputFacts {
  readonly description?: string | undefined;
  readonly appliesTo?: AppliesTo | undefined;
  readonly categories?: readonly string[];
  readonly id?: string | undefined;
}

/** Rules that come from a file are recommended and nobody's until somebody governs them. */
export function toInput(file: RuleFile, { title, body }: Section, facts: InputFacts = {}): InstructionInput {
  const marked = mark.exec(body)?.[1];
  const { description, appliesTo, categories = [] } = facts;
  return {
    id: toInstructionId(marked ?? facts.id ?? toStableId(title)),
    title: title.slice(0, instructionLimits.titleChars),
    body: marked === undefined ? body : canonicalBody(body.replace(mark, '')),
    categories: ['imported', ...categories],
    ...(description === undefined ? {} : { description: description.slice(0, instructionLimits.textFieldChars) }),
    ...(appliesTo === undefined ? {} : { appliesTo }),
    extensions: { source: { file: file.path, format: file.format } },
  };
}

/** `docs/api/AGENTS.md` stands for what is below `docs/api`: so do the tools that read it. */
export function folderGlob(path: string): readonly string[] {
  const at = path.lastIndexOf('/');
  return at === -1 ? [] : [`${path.slice(0, at)}/**`];
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
