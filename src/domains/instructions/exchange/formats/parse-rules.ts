import { canonicalBody } from '#kernel/text/normalise.ts';
import type { AppliesTo, InstructionInput } from '../../entry-model.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import { listOf, splitFrontMatter, textOf } from '../front-matter.ts';
import {
  fileName,
  type InputFields,
  type ParsedFile,
  projectFolder,
  type RuleFile,
  skippedFile,
  stemTitle,
  toRuleInput,
} from './rule-input.ts';
import { splitMarkdown } from './split-markdown.ts';

/** A section may contain only the marker of an export. */
function parsed(file: RuleFile, all: readonly InstructionInput[]): ParsedFile {
  const entries = all.filter(({ body }) => body !== '');
  return entries.length === 0 ? skippedFile(file.path, 'contains no text') : { entries, skipped: [], warnings: [] };
}

/** Everywhere for a file of the project's own folder, otherwise below the folder of the file. */
const wherever = (folder: string): AppliesTo => (folder === '' ? { always: true } : { folders: [folder] });

/** Some authors write globs of a nested file relative to its folder, others relative to the project. */
function byGlobs(folder: string, globs: readonly string[]): AppliesTo {
  const most = Math.floor(instructionLimits.listFieldCount / 2);
  const files = globs.slice(0, most);
  if (folder === '') return { files };
  return { all: [{ folders: [folder] }, { files: files.flatMap((glob) => [glob, `${folder}/${glob}`]) }] };
}

const isOnlyReferences = (body: string): boolean =>
  body.split(/\s+/).every((word) => word.startsWith('@') || word === '-' || word === '*');

/** AGENTS.md, CLAUDE.md, .cursorrules, copilot-instructions.md: one rule per section, for the folder of the file. */
export function parseRuleText(file: RuleFile): ParsedFile {
  const { body } = splitFrontMatter(file.text);
  const facts = { appliesTo: wherever(file.scope ?? projectFolder(file.path)) };
  const sections = splitMarkdown(body, stemTitle(file.path));
  // The included files are imported themselves.
  const speaking = sections.filter((section) => file.format !== 'claude' || !isOnlyReferences(section.body));
  if (speaking.length === 0 && sections.length > 0) return { entries: [], skipped: [], warnings: [] };
  return parsed(
    file,
    speaking.map((section) => toRuleInput(file, section, facts)),
  );
}

const isForAll = (glob: string): boolean => glob === '**' || glob === '**/*' || glob === '*';

/** What the tool of the format does: always, by globs, or by the description, which needs no condition. */
function scopedTo(file: RuleFile, isAlways: boolean, globs: readonly string[]): InputFields {
  const folder = projectFolder(file.path);
  if (isAlways || globs.some(isForAll)) return { appliesTo: wherever(folder) };
  return globs.length === 0 ? {} : { appliesTo: byGlobs(folder, globs) };
}

/** A Cursor rule (`alwaysApply`, `globs`, `description`) or a scoped Copilot file (`applyTo`). */
export function parseScopedRule(file: RuleFile): ParsedFile {
  const { frontMatter, body } = splitFrontMatter(file.text);
  const isCursor = file.format === 'cursor-mdc';
  const isAlways = isCursor && textOf(frontMatter, 'alwaysApply')?.toLowerCase() === 'true';
  const globs = listOf(frontMatter, isCursor ? 'globs' : 'applyTo');
  const facts: InputFields = {
    ...scopedTo(file, isAlways, globs),
    description: textOf(frontMatter, 'description'),
  };
  const sections = splitMarkdown(body, stemTitle(file.path));
  const [only] = sections;
  // These formats hold one rule per file: the file name is the id, unless the rule had to be split.
  const isWhole = canonicalBody(body).length <= instructionLimits.bodyChars;
  const whole = isWhole && only !== undefined ? [{ title: titleOf(file, body), body: canonicalBody(body) }] : sections;
  const id = isWhole ? stemTitle(file.path).replaceAll(' ', '-').toLowerCase() : undefined;
  return parsed(
    file,
    whole.map((section) => toRuleInput(file, section, { ...facts, id })),
  );
}

function titleOf(file: RuleFile, body: string): string {
  const heading = /^# +(\S.*)$/m.exec(body)?.[1]?.trim();
  return heading ?? stemTitle(file.path);
}

/** A SKILL.md is one rule; the name of its folder is the id. */
export function parseSkill(file: RuleFile): ParsedFile {
  const { frontMatter, body } = splitFrontMatter(file.text);
  const folder = fileName(file.path.slice(0, Math.max(0, file.path.lastIndexOf('/'))));
  const name = textOf(frontMatter, 'name') ?? (folder === '' ? undefined : folder);
  if (name === undefined) return skippedFile(file.path, 'a SKILL.md needs a name in its front matter');
  const text = canonicalBody(body);
  if (text === '') return skippedFile(file.path, 'contains no text');
  const facts: InputFields = { id: name, description: textOf(frontMatter, 'description'), categories: ['skill'] };
  if (text.length <= instructionLimits.bodyChars) {
    return parsed(file, [
      toRuleInput(file, { title: titleOf(file, body.trim() === '' ? name : body), body: text }, facts),
    ]);
  }
  const parts = splitMarkdown(text, name);
  return {
    ...parsed(
      file,
      parts.map((section) => toRuleInput(file, section, { ...facts, id: `${name}-${section.title}` })),
    ),
    warnings: [`${file.path} exceeds the size of one instruction and was split into ${parts.length}`],
  };
}
