import type { Server } from '@modelcontextprotocol/server';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask, Page, ResourceContent, ResourceItem } from '#kernel/tool/resource.ts';
import type { Skill } from '#kernel/tool/skill.ts';
import { cursorOf, type HandlerContext, registerHandler, textOf, withCursor } from './handler-context.ts';
import { mcpLimits } from './mcp-deps.ts';
import type { PageSource } from './pages.ts';
import type { JsonObject } from './protocol.ts';
import { loadSkillEntry } from './sdk.ts';

type SkillEntry = Awaited<ReturnType<Awaited<ReturnType<typeof loadSkillEntry>>>>;

const scheme = 'skill://';
const manifest = 'SKILL.md';

/** Digests and front matter as the extension requires. A skill that violates its rules is omitted and logged. */
async function toEntry({ deps }: HandlerContext, { path, files }: Skill): Promise<SkillEntry | undefined> {
  const skillEntry = await loadSkillEntry();
  try {
    return await skillEntry(path, files);
  } catch (error) {
    deps.log.warn({ skill: path, err: error }, 'invalid skill skipped');
    return undefined;
  }
}

async function listEntries(context: HandlerContext, ask: Ask, cursor: string | undefined): Promise<Page<SkillEntry>> {
  const page = await context.deps.skills!.list(ask, cursor);
  const made = await Promise.all(page.items.map((skill) => toEntry(context, skill)));
  const items = made.filter((entry) => entry !== undefined);
  return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor };
}

/** The segments of a skill's URI: folder, then file. Only the catalog knows where one ends and the other begins. */
function segmentsOf(uri: string): readonly string[] {
  if (!uri.startsWith(scheme)) return [];
  const segments = uri.slice(scheme.length).split('/', mcpLimits.skillPathCount + 1);
  if (segments.length > mcpLimits.skillPathCount) return [];
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return [];
  }
}

export async function readSkillFile(
  { deps }: HandlerContext,
  uri: string,
  ask: Ask,
): Promise<ResourceContent | undefined> {
  const segments = deps.skills === undefined ? [] : segmentsOf(uri);
  for (let count = 1; count < segments.length; count += 1) {
    const skill = await deps.skills?.find(segments.slice(0, count).join('/'), ask);
    const file = segments.slice(count).join('/');
    if (skill !== undefined && Object.hasOwn(skill.files, file)) {
      return { mimeType: file.endsWith('.md') ? 'text/markdown' : 'text/plain', text: skill.files[file]! };
    }
  }
  return undefined;
}

const toItem = ({ uri, frontmatter }: SkillEntry): ResourceItem => ({
  uri,
  name: frontmatter.name,
  description: frontmatter.description,
  mimeType: 'text/markdown',
});

/** Skills are resources too: their `SKILL.md` files come last in the resource list. */
export function skillLists(context: HandlerContext, ask: Ask): readonly PageSource<ResourceItem>[] {
  if (context.deps.skills === undefined) return [];
  return [
    async (cursor) => {
      const page = await listEntries(context, ask, cursor);
      return { ...page, items: page.items.map(toItem) };
    },
  ];
}

export const skillTemplates = ({ deps }: HandlerContext): readonly JsonObject[] =>
  deps.skills === undefined
    ? []
    : [
        {
          name: 'skill',
          title: 'A file of a skill',
          uriTemplate: `${scheme}{+path}`,
          description: `Skills: ${manifest} and what it refers to.`,
        },
      ];

export function handleSkills(server: Server, context: HandlerContext): void {
  const cache: JsonObject = context.client.era === 'modern' ? { ttlMs: 0, cacheScope: 'private' } : {};
  registerHandler(server, context, 'skills/list', async (params, ask) => {
    const { items, nextCursor } = await listEntries(context, ask, cursorOf(params));
    return { skills: items, ...withCursor(nextCursor), ...cache };
  });
  registerHandler(server, context, 'skills/get', async (params, ask) => {
    const uri = textOf(params, 'uri');
    const segments = segmentsOf(uri);
    const isManifest = segments.length > 1 && segments.at(-1) === manifest;
    const skill = isManifest ? await context.deps.skills?.find(segments.slice(0, -1).join('/'), ask) : undefined;
    const entry = skill === undefined ? undefined : await toEntry(context, skill);
    if (entry === undefined)
      throw faults.INVALID_PARAMS(
        { why: `unknown skill ${uri.slice(0, 200)}` },
        { fix: 'skills/list lists the skills.' },
      );
    return { skill: entry, ...cache };
  });
}
