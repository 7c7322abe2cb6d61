import type { InstructionInput } from '../../entry-model.ts';

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

/** One file as somebody has it: where it stands (parts joined by `/`, from the folder that was named) and its text. */
export interface RuleFile {
  readonly path: string;
  readonly format: RuleFormat;
  readonly text: string;
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
}

export const nothingParsed = (source: string, reason: string): ParsedFile => ({
  entries: [],
  skipped: [{ source, reason }],
  warnings: [],
});
