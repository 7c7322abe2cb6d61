import { canonicalBody } from '#kernel/text/normalise.ts';
import type { InstructionInput } from '../../entry-model.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import { listOf, splitFrontMatter, textOf } from '../front-matter.ts';
import {
  fileName,
  folderGlob,
  type InputFields,
  type ParsedFile,
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

const withFiles = (globs: readonly string[]): InputFields =>
  globs.length === 0 ? {} : { appliesTo: { files: [...globs].slice(0, instructionLimits.listFieldCount) } };

/** AGENTS.md, CLAUDE.md, .cursorrules, copilot-instructions.md: one rule per section, for the folder of the file. */
export function parseRuleText(file: RuleFile): ParsedFile {
  const { body } = splitFrontMatter(file.text);
  // Folders such as `.github` only say where a tool looks for the file.
  const isRooted = file.path.split('/').some((part) => part.startsWith('.'));
  const facts = withFiles(isRooted ? [] : folderGlob(file.path));
  const sections = splitMarkdown(body, stemTitle(file.path));
  return parsed(
    file,
    sections.map((section) => toRuleInput(file, section, facts)),
  );
}

/** A file with globs in its front matter: a Cursor rule (`globs`) or a scoped Copilot file (`applyTo`). */
export function parseScopedRule(file: RuleFile): ParsedFile {
  const { frontMatter, body } = splitFrontMatter(file.text);
  const key = file.format === 'cursor-mdc' ? 'globs' : 'applyTo';
  const globs = listOf(frontMatter, key).filter((glob) => glob !== '**' && glob !== '**/*' && glob !== '*');
  const facts: InputFields = { ...withFiles(globs), description: textOf(frontMatter, 'description') };
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
