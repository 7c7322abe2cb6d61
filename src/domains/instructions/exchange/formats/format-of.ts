import type { RuleFormat } from './parsed-file.ts';

/** Files of the catalog that are no entries. */
const catalogFiles: ReadonlySet<string> = new Set([
  'gates.json',
  'owners.json',
  'prompt-criteria.json',
  'canonical-instructions.json',
  'usage-snapshot.json',
  'feedback-entries.json',
]);

const byName: Readonly<Record<string, RuleFormat>> = {
  'agents.md': 'agents',
  'agents.override.md': 'agents',
  'claude.md': 'claude',
  'claude.local.md': 'claude',
  '.cursorrules': 'cursorrules',
  'copilot-instructions.md': 'copilot',
  'skill.md': 'skill',
};

/** Told by the name alone, as the programs that read these files do. Undefined: it is none of them. */
export function formatOf(path: string): RuleFormat | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const lower = name.toLowerCase();
  const named = Object.hasOwn(byName, lower) ? byName[lower] : undefined;
  if (named !== undefined) return named;
  if (lower.endsWith('.mdc')) return 'cursor-mdc';
  if (lower.endsWith('.instructions.md')) return 'copilot-instructions';
  if (lower.endsWith('.json') && !lower.startsWith('.') && !catalogFiles.has(lower)) return 'entry-json';
  return undefined;
}
