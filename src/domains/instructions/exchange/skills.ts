import type { Skill, SkillCatalog } from '#kernel/tool/skill.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionTopic } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { fetchEntry, fetchPage, isApproved, parseCursor, toCursor } from './catalog-client.ts';
import { renderFrontMatter } from './front-matter.ts';

/**
 * The skills extension allows lower-case words joined by single hyphens; an id may contain underscores and be longer.
 */
const toSkillName = (id: string): string =>
  id
    .split(/[_-]/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, instructionLimits.skillNameChars)
    .replace(/-$/, '');

/** An id that is not a valid skill name becomes a parent folder, so that the path still leads back to the id. */
export function toSkillPath(id: string): string {
  const name = toSkillName(id);
  return name === id ? id : `${id}/${name}`;
}

const cut = (text: string, chars: number): string => {
  const points = [...text];
  return points.length <= chars ? text : `${points.slice(0, chars - 1).join('')}…`;
};

/** Agents choose skills by the description alone, so it says when the rule applies. */
function describe(entry: InstructionEntry): string {
  const { always = false, tasks = [], files = [], folders = [], tools = [], languages = [] } = entry.appliesTo ?? {};
  const when = [
    ...(always ? ['every task'] : []),
    ...(tasks.length > 0 ? [`tasks: ${tasks.join(', ')}`] : []),
    ...(files.length > 0 ? [`files: ${files.join(', ')}`] : []),
    ...(folders.length > 0 ? [`folders: ${folders.join(', ')}`] : []),
    ...(tools.length > 0 ? [`tools: ${tools.join(', ')}`] : []),
    ...(languages.length > 0 ? [`languages: ${languages.join(', ')}`] : []),
  ];
  const what = [entry.title, entry.semanticSummary].filter((text, i, all) => text !== '' && all.indexOf(text) === i);
  const text = [...what, ...(when.length > 0 ? [`Use it for ${when.join('; ')}.`] : [])].join(' — ');
  return cut(text === '' ? entry.id : text, instructionLimits.skillDescriptionChars);
}

export function toSkill(entry: InstructionEntry): Skill {
  const path = toSkillPath(entry.id);
  const frontMatter = renderFrontMatter({ name: path.slice(path.lastIndexOf('/') + 1), description: describe(entry) });
  return { path, files: { 'SKILL.md': `${frontMatter}\n${entry.body}\n` } };
}

export const instructionSkills: SkillCatalog = {
  topic: instructionTopic,
  async list(ask, cursor) {
    const { items, nextAfter } = await fetchPage(ask, parseCursor(cursor), instructionLimits.pageCount);
    return { items: items.filter(isApproved).map(toSkill), ...toCursor(nextAfter) };
  },
  async find(path, ask) {
    const entry = await fetchEntry(ask, path.split('/', 1)[0] ?? '');
    if (entry === undefined || !isApproved(entry)) return undefined;
    const skill = toSkill(entry);
    return skill.path === path ? skill : undefined;
  },
};
