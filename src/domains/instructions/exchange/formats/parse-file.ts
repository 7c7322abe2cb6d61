import { parseEntries } from './parse-entries.ts';
import { parseRuleText, parseScopedRule, parseSkill } from './parse-rules.ts';
import type { ParsedFile, RuleFile, RuleFormat } from './parsed-file.ts';

const parsers: Readonly<Record<RuleFormat, (file: RuleFile) => ParsedFile>> = {
  'entry-json': parseEntries,
  agents: parseRuleText,
  claude: parseRuleText,
  cursorrules: parseRuleText,
  copilot: parseRuleText,
  'cursor-mdc': parseScopedRule,
  'copilot-instructions': parseScopedRule,
  skill: parseSkill,
};

export const parseFile = (file: RuleFile): ParsedFile => parsers[file.format](file);
