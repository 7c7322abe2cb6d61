import type { PromptCatalog } from '#kernel/tool/prompt.ts';
import type { ResourceCatalog, ResourceFamily } from '#kernel/tool/resource.ts';
import type { Skill, SkillCatalog } from '#kernel/tool/skill.ts';

const pageSize = 2;

/** Notes as resources: each request goes through the tools, as in a domain's catalog. */
const notes: ResourceFamily = {
  uriTemplate: 'note://{id}',
  name: 'note',
  title: 'A note',
  description: 'What was kept under an id.',
  mimeType: 'text/plain',
  changes: { topic: 'notes', variables: (id) => ({ id }) },
  async list(ask, cursor) {
    const { ids } = (await ask('sample/ids', {})) as { ids: string[] };
    const from = cursor === undefined ? 0 : Number(cursor);
    const items = ids
      .slice(from, from + pageSize)
      .map((id) => ({ uri: `note://${id}`, name: id, mimeType: 'text/plain' }));
    return from + pageSize < ids.length ? { items, nextCursor: String(from + pageSize) } : { items };
  },
  async read({ id }, ask) {
    const { ids } = (await ask('sample/ids', {})) as { ids: string[] };
    if (!ids.includes(id!)) return undefined;
    const { text } = (await ask('sample/read', { id })) as { text: string };
    return { mimeType: 'text/plain', text };
  },
  async complete(variable, typed, ask) {
    const { ids } = (await ask('sample/ids', {})) as { ids: string[] };
    return variable === 'id' ? ids.filter((id) => id.startsWith(typed)) : [];
  },
};

/** A family that cannot be listed, returns bytes and fails for one name. */
const pictures: ResourceFamily = {
  uriTemplate: 'picture://{name}',
  name: 'picture',
  title: 'A picture',
  description: 'Bytes.',
  mimeType: 'image/png',
  async read({ name }, ask) {
    if (name === 'broken') throw new TypeError('secret words of a bug');
    if (name === 'refused') await ask('sample/fail', { how: 'fault' });
    return { mimeType: 'image/png', base64: 'AAAA' };
  },
};

const sampleResources: ResourceCatalog = { families: [notes, pictures] };

const samplePrompts: PromptCatalog = {
  sources: [
    {
      list: async () => ({
        items: [{ name: 'greet', description: 'Greets.', arguments: [{ name: 'who', required: true }] }],
      }),
      get: async (name, { who }) =>
        name === 'greet'
          ? { description: 'A greeting', messages: [{ role: 'user', text: `Greet ${who}.` }] }
          : undefined,
      complete: async (name, argument, typed) =>
        name === 'greet' && argument === 'who'
          ? ['Ada', 'Alan', 'Grace'].filter((it) => it.startsWith(typed))
          : undefined,
    },
    {
      topic: 'notes',
      async list(ask) {
        const { ids } = (await ask('sample/ids', {})) as { ids: string[] };
        return { items: ids.map((id) => ({ name: `note-${id}`, title: id })) };
      },
      async get(name, _, ask) {
        if (!name.startsWith('note-')) return undefined;
        const { text } = (await ask('sample/read', { id: name.slice(5) })) as { text: string };
        return { messages: [{ role: 'user', text }] };
      },
    },
  ],
};

const skills: readonly Skill[] = [
  {
    path: 'tidy-up',
    files: {
      'SKILL.md': '---\nname: tidy-up\ndescription: How to tidy up.\n---\nPut things away.\n',
      'more/list.txt': 'shelf',
    },
  },
  { path: 'broken', files: { 'SKILL.md': 'no front matter' } },
];

const sampleSkills: SkillCatalog = {
  topic: 'notes',
  list: async () => ({ items: skills }),
  find: async (path) => skills.find((skill) => skill.path === path),
};

export const sampleCatalogs = { resources: sampleResources, prompts: samplePrompts, skills: sampleSkills };
