import type { ResourceFamily, ResourceItem } from '#kernel/tool/resource.ts';
import { toUri } from '#kernel/tool/resource.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionTopic } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { type EntryPage, fetchEntry, fetchPage, isApproved, parseCursor, toCursor } from './catalog-client.ts';
import { renderFrontMatter } from './front-matter.ts';

const uriTemplate = 'instruction://{id}';
const mimeType = 'text/markdown';

/** Only the most important governance fields; tools return the rest. */
export const renderInstruction = (entry: InstructionEntry): string =>
  `${renderFrontMatter({
    id: entry.id,
    title: entry.title,
    version: entry.version,
    status: entry.status,
    requirement: entry.requirement,
    priority: entry.priorityTier,
    owner: entry.owner,
    categories: entry.categories,
    updatedAt: entry.updatedAt,
  })}\n${entry.body}\n`;

const toItem = (entry: InstructionEntry): ResourceItem => ({
  uri: toUri(uriTemplate, { id: entry.id }),
  name: entry.id,
  title: entry.title,
  description: entry.semanticSummary,
  mimeType,
});

export const instructionResources: ResourceFamily = {
  uriTemplate,
  name: 'instruction',
  title: 'Instruction',
  description: 'One approved rule of the catalog, with its version and owner.',
  mimeType,
  async list(ask, cursor) {
    const { items, nextAfter } = await fetchPage(ask, parseCursor(cursor), instructionLimits.pageCount);
    return { items: items.filter(isApproved).map(toItem), ...toCursor(nextAfter) };
  },
  async read({ id }, ask) {
    const entry = await fetchEntry(ask, id ?? '');
    return entry !== undefined && isApproved(entry) ? { mimeType, text: renderInstruction(entry) } : undefined;
  },
  async complete(variable, typed, ask) {
    const found: string[] = [];
    if (variable !== 'id') return found;
    let after: string | undefined;
    do {
      const page: EntryPage = await fetchPage(ask, after, instructionLimits.pageCount * 10);
      found.push(...page.items.filter((entry) => isApproved(entry) && entry.id.startsWith(typed)).map(({ id }) => id));
      // Sorted by id: after the prefix no later id matches.
      const last = page.items.at(-1)?.id ?? '';
      after = last > typed && !last.startsWith(typed) ? undefined : page.nextAfter;
    } while (after !== undefined && found.length < instructionLimits.completionCount);
    return found.slice(0, instructionLimits.completionCount);
  },
  changes: { topic: instructionTopic, variables: (id) => ({ id }) },
};
