import { faults } from '#kernel/fault/kernel-faults.ts';
import type { PromptItem, PromptSource } from '#kernel/tool/prompt.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionTopic } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { type EntryPage, fetchEntry, fetchPage, isApproved, parseCursor, toCursor } from './catalog-client.ts';

/**
 * `{{name}}` becomes the argument's value, or nothing if an optional argument is missing. Other braces are plain text,
 * and placeholders inside values are not replaced.
 */
export const fillPlaceholders = (
  body: string,
  known: readonly string[],
  args: Readonly<Record<string, string>>,
): string =>
  body.replace(/\{\{ ?([A-Za-z][A-Za-z0-9_]{0,63}) ?\}\}/g, (whole, name: string) =>
    known.includes(name) ? (Object.hasOwn(args, name) ? (args[name] ?? '') : '') : whole,
  );

const isPrompt = (entry: InstructionEntry): boolean => isApproved(entry) && (entry.arguments?.length ?? 0) > 0;

const toItem = (entry: InstructionEntry): PromptItem => ({
  name: entry.id,
  title: entry.title,
  description: entry.semanticSummary,
  arguments: (entry.arguments ?? []).map(({ name, description, required }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    ...(required === undefined ? {} : { required }),
  })),
});

function checkArguments(entry: InstructionEntry, args: Readonly<Record<string, string>>): void {
  const declared = entry.arguments ?? [];
  const missing = declared.filter(({ name, required }) => required === true && (args[name] ?? '') === '');
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name);
    throw faults.INVALID_PARAMS(
      { why: `the prompt ${entry.id} needs the argument ${names.join(', ')}` },
      { prompt: entry.id, missing: names },
    );
  }
  const strange = Object.keys(args).find((name) => !declared.some((argument) => argument.name === name));
  if (strange !== undefined) {
    throw faults.INVALID_PARAMS({ why: `the prompt ${entry.id} has no argument ${strange.slice(0, 100)}` });
  }
}

/** Approved instructions with arguments. Drafts are never served as prompts. */
export const instructionPrompts: PromptSource = {
  topic: instructionTopic,
  async list(ask, cursor) {
    const items: PromptItem[] = [];
    let after = parseCursor(cursor);
    let scannedCount = 0;
    do {
      const page: EntryPage = await fetchPage(ask, after, instructionLimits.pageCount);
      items.push(...page.items.filter(isPrompt).map(toItem));
      scannedCount += page.items.length;
      after = page.nextAfter;
    } while (
      after !== undefined &&
      scannedCount < instructionLimits.promptScanCount &&
      items.length < instructionLimits.pageCount
    );
    return { items, ...toCursor(after) };
  },
  async get(name, args, ask) {
    const entry = await fetchEntry(ask, name);
    if (entry === undefined || !isPrompt(entry)) return undefined;
    checkArguments(entry, args);
    const known = (entry.arguments ?? []).map((argument) => argument.name);
    const text = fillPlaceholders(entry.body, known, args);
    if (text.length > instructionLimits.promptChars) {
      throw faults.RESOURCE_LIMIT({
        what: 'The filled prompt',
        limit: instructionLimits.promptChars,
        unit: 'characters',
      });
    }
    return { description: entry.semanticSummary, messages: [{ role: 'user', text }] };
  },
};
