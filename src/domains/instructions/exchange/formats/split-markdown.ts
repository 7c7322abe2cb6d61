import { canonicalBody, toLf } from '#kernel/text/normalise.ts';
import { instructionLimits } from '../../instruction-limits.ts';

/** Our own exports mark their sections. */
const exportMark = /^## .*\n\n<!-- fourfold:/m;
const exportLevel = 2;

export interface Section {
  readonly title: string;
  readonly body: string;
}

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

const fenceOf = (line: string): string | undefined => /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];

/** The lines outside code fences. */
export function proseLines(text: string): readonly string[] {
  let fence: string | undefined;
  return toLf(text)
    .split('\n')
    .filter((line) => {
      const mark = fenceOf(line);
      if (fence !== undefined) {
        if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
        return false;
      }
      fence = mark;
      return mark === undefined;
    });
}

/** Ignores `#` inside code fences. */
function headingsOf(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const [i, line] of lines.entries()) {
    const mark = fenceOf(line);
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      continue;
    }
    fence = mark;
    const found = mark === undefined ? /^ {0,3}(#{1,6}) +(\S.*)$/.exec(line) : null;
    if (found !== null) headings.push({ line: i, level: found[1]!.length, title: toTitle(found[2]!) });
  }
  return headings;
}

/** Without emphasis and closing `#` marks. */
function toTitle(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '#' || text[end - 1] === ' ')) end -= 1;
  const bare = text.slice(0, end).replaceAll('**', '').replaceAll('`', '').trim();
  return (bare === '' ? text : bare).slice(0, instructionLimits.titleChars);
}

const countAt = (headings: readonly Heading[], level: number): number =>
  headings.filter((heading) => heading.level === level).length;

/** Whether a heading has text before the next heading. */
function saysSomething(lines: readonly string[], headings: readonly Heading[], at: number): boolean {
  return lines.slice(headings[at]!.line + 1, headings[at + 1]?.line).some((line) => line.trim() !== '');
}

/**
 * The heading level that separates the rules: the first level with several headings, so that a title above everything
 * is not a rule. A file with one heading per level is one rule, under the first heading with text.
 */
function ruleLevel(lines: readonly string[], headings: readonly Heading[]): number | undefined {
  const levels = [...new Set(headings.map(({ level }) => level))].sort((a, b) => a - b);
  const speaking = headings.find((_, i) => saysSomething(lines, headings, i));
  return levels.find((level) => countAt(headings, level) > 1) ?? speaking?.level ?? levels[0];
}

/** Cuts at the last blank line that fits, otherwise at the last line end. */
function cutToFit(text: string, max: number): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const paragraph = rest.lastIndexOf('\n\n', max);
    const line = rest.lastIndexOf('\n', max);
    const at = paragraph > 0 ? paragraph : line > 0 ? line : max;
    parts.push(canonicalBody(rest.slice(0, at)));
    rest = rest.slice(at);
  }
  return [...parts, canonicalBody(rest)].filter((part) => part !== '');
}

/** Splits a section that is too long by its own headings first, and cuts it only then. */
function fit({ title, body }: Section): readonly Section[] {
  const max = instructionLimits.bodyChars;
  if (body.length <= max) return [{ title, body }];
  const inner = headingsOf(body.split('\n')).length > 0 ? sectionsOf(body, title) : [];
  if (inner.length > 1) return inner.flatMap(fit);
  return cutToFit(body, max).map((part, i) => ({ title: i === 0 ? title : `${title} (part ${i + 1})`, body: part }));
}

/** The sections of one level, in order; text before the first one goes under the nearest title above it. */
function sectionsOf(text: string, fallbackTitle: string): readonly Section[] {
  const lines = text.split('\n');
  const headings = headingsOf(lines);
  const level = exportMark.test(text) ? exportLevel : ruleLevel(lines, headings);
  if (level === undefined) return [{ title: fallbackTitle, body: canonicalBody(text) }];
  const starts = headings.filter((heading) => heading.level <= level);
  const before = { line: -1, level: 0, title: fallbackTitle };
  return [before, ...starts].map(({ line, title }, i) => ({
    title,
    body: canonicalBody(lines.slice(line + 1, starts[i]?.line ?? lines.length).join('\n')),
  }));
}

/** One section per rule; sections without text are dropped. */
export const splitMarkdown = (text: string, fallbackTitle: string): readonly Section[] =>
  sectionsOf(toLf(text), fallbackTitle)
    .filter(({ body }) => body !== '')
    .flatMap(fit);
