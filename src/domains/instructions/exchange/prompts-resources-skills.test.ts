import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import type { InstructionInput } from '../entry-model.ts';
import { createAsk } from './catalog-client.fixture.ts';
import { splitFrontMatter } from './front-matter.ts';
import { fillPlaceholders, instructionPrompts } from './prompts.ts';
import { instructionResources, renderInstruction } from './resources.ts';
import { instructionSkills, toSkill, toSkillPath } from './skills.ts';
import { starterCatalog } from './starter-catalog.ts';

const input = (id: string, more: Partial<InstructionInput> = {}): InstructionInput => ({
  id,
  body: `Body of ${id}`,
  ...more,
});
const many = (count: number): readonly InstructionInput[] =>
  Array.from({ length: count }, (_, i) =>
    input(`e-${String(i).padStart(4, '0')}`, i % 2 === 0 ? {} : { status: 'draft' }),
  );

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

async function all<T>(list: (cursor: string | undefined) => Promise<Page<T>>) {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

const asks = { arguments: [{ name: 'what' }] };
const faces = {
  resources: async (ask, cursor) => {
    const page = await instructionResources.list!(ask, cursor);
    return { ...page, items: page.items.map(({ name }) => name) };
  },
  prompts: async (ask, cursor) => {
    const page = await instructionPrompts.list(ask, cursor);
    return { ...page, items: page.items.map(({ name }) => name) };
  },
  skills: async (ask, cursor) => {
    const page = await instructionSkills.list(ask, cursor);
    return { ...page, items: page.items.map(({ path }) => path) };
  },
} satisfies Record<string, (ask: Ask, cursor: string | undefined) => Promise<Page<string>>>;

describe.each(Object.entries(faces))('listing %s while the catalog changes', (_name, list) => {
  const idOf = (n: number): string => `e-${String(n).padStart(3, '0')}`;
  const even = Array.from({ length: 150 }, (_, i) => idOf(2 * i));

  it('returns every entry that stays exactly once', async () => {
    const change = fc.record({ n: fc.nat(299), isAdded: fc.boolean() });
    const steps = fc.array(fc.array(change, { maxLength: 30 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(steps, async (left) => {
        const { ask, entries } = createAsk(even.map((id) => input(id, asks)));
        const stayed = new Set(even);
        const shown: string[] = [];
        let cursor: string | undefined;
        let pageCount = 0;
        do {
          const page = await list(ask, cursor);
          shown.push(...page.items);
          cursor = page.nextCursor;
          for (const { n, isAdded } of left[pageCount] ?? []) {
            if (isAdded) entries.set(idOf(n), createEntry(input(idOf(n), asks)));
            else if (entries.delete(idOf(n))) stayed.delete(idOf(n));
          }
          pageCount += 1;
        } while (cursor !== undefined);
        expect(pageCount).toBeGreaterThan(1);
        expect(new Set(shown).size).toBe(shown.length);
        expect([...stayed].filter((id) => !shown.includes(id))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('continues after an entry that was removed and includes one that was added', async () => {
    const { ask, entries } = createAsk(even.map((id) => input(id, asks)));
    const first = await list(ask, undefined);
    expect(first.items).toEqual(even.slice(0, 100));
    for (const id of [idOf(0), ...even.slice(99, 100)]) entries.delete(id);
    for (const id of [idOf(1), idOf(299)]) entries.set(id, createEntry(input(id, asks)));
    const second = await list(ask, first.nextCursor);
    expect(second).toEqual({ items: [...even.slice(100), idOf(299)] });
  });

  it('ends with the last entry, without an empty page', async () => {
    const { ask } = createAsk(Array.from({ length: 200 }, (_, i) => input(`e-${1000 + i}`, asks)));
    const pages: number[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await list(ask, cursor);
      pages.push(page.items.length);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(pages).toEqual([100, 100]);
  });
});

describe('instruction resources', () => {
  it.each([[Number.POSITIVE_INFINITY], [7]])(
    'lists every approved entry once, with pages of at most %s',
    async (max) => {
      const { ask } = createAsk(many(250), max);
      const items = await all((cursor) => instructionResources.list!(ask, cursor));
      expect(items).toHaveLength(125);
      expect(new Set(items.map(({ uri }) => uri)).size).toBe(125);
      expect(items[0]).toMatchObject({ uri: 'instruction://e-0000', name: 'e-0000', mimeType: 'text/markdown' });
    },
  );

  it('does not serve drafts, paths and unknown ids', async () => {
    const { ask } = createAsk([input('draft', { status: 'draft' })]);
    for (const id of ['draft', '../escape', 'unknown', '']) {
      expect(await instructionResources.read({ id }, ask), id).toBeUndefined();
    }
  });

  it('escapes titles in the front matter', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: 'grapheme' }), (title) => {
        const { frontMatter } = splitFrontMatter(
          renderInstruction(createEntry(input('a', { title, owner: '---\nid: b' }))),
        );
        expect(frontMatter['id']).toBe('a');
        expect(frontMatter['owner']).toBe('---\nid: b');
      }),
    );
  });

  it('completes ids by prefix', async () => {
    const { ask } = createAsk([...many(20), input('zeta')]);
    expect(await instructionResources.complete!('id', 'e-000', ask, {})).toEqual([
      'e-0000',
      'e-0002',
      'e-0004',
      'e-0006',
      'e-0008',
    ]);
    expect(await instructionResources.complete!('id', 'z', ask, {})).toEqual(['zeta']);
    expect(await instructionResources.complete!('other', '', ask, {})).toEqual([]);
  });

  it('rejects a made-up cursor', async () => {
    await expect(instructionResources.list!(createAsk().ask, '-1; drop')).rejects.toThrow('cursor');
  });
});

describe('instruction prompts', () => {
  const asking = input('asking', {
    body: 'Do {{what}} {{ how }}, not {{that}}.',
    arguments: [{ name: 'what', required: true }, { name: 'how' }],
  });

  it('serves approved entries with arguments', async () => {
    const { ask } = createAsk([...many(300), asking, { ...asking, id: 'draft', status: 'draft' }]);
    const prompts = await all((cursor) => instructionPrompts.list(ask, cursor));
    expect(prompts.map(({ name }) => name)).toEqual(['asking']);
    expect(await instructionPrompts.get('draft', { what: 'x' }, ask)).toBeUndefined();
    expect(await instructionPrompts.get('e-0000', {}, ask)).toBeUndefined();
  });

  it('fills given arguments and leaves other braces alone', async () => {
    const { ask } = createAsk([asking]);
    const answer = await instructionPrompts.get('asking', { what: '{{how}} $& it' }, ask);
    expect(answer?.messages).toEqual([{ role: 'user', text: 'Do {{how}} $& it , not {{that}}.' }]);
  });

  it.each([[{}], [{ what: '' }], [{ what: 'x', other: 'y' }]])('rejects the arguments %j', async (args) => {
    const error: unknown = await instructionPrompts
      .get('asking', args, createAsk([asking]).ask)
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Fault);
    expect((error as Fault).code).toBe('INVALID_PARAMS');
  });

  it('inserts a value literally', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(fillPlaceholders('a {{x}} b', ['x'], { x: value })).toBe(`a ${value} b`);
      }),
    );
  });
});

describe('instruction skills', () => {
  it('maps every id to a path that leads back to it and ends in a valid skill name', () => {
    const id = fc.stringMatching(/^[a-z0-9](?:[a-z0-9_-]{0,118}[a-z0-9])?$/);
    fc.assert(
      fc.property(id, (text) => {
        const path = toSkillPath(text);
        expect(path.split('/')[0]).toBe(text);
        const name = path.slice(path.lastIndexOf('/') + 1);
        expect(name).toMatch(/^[\da-z]+(?:-[\da-z]+)*$/);
        expect(name.length).toBeLessThanOrEqual(64);
      }),
    );
  });

  it('finds skills only by their path', async () => {
    const { ask } = createAsk([input('my_rule'), input('plain'), input('draft', { status: 'draft' })]);
    const skills = await all((cursor) => instructionSkills.list(ask, cursor));
    expect(skills.map(({ path }) => path)).toEqual(['my_rule/my-rule', 'plain']);
    expect((await instructionSkills.find('my_rule/my-rule', ask))?.files['SKILL.md']).toContain('name: "my-rule"');
    for (const path of ['my_rule', 'my_rule/other', 'draft', 'plain/plain', '..']) {
      expect(await instructionSkills.find(path, ask), path).toBeUndefined();
    }
  });

  it('never has an empty or oversized description', () => {
    for (const summary of ['', 'x'.repeat(600)]) {
      const long = createEntry(
        input('a', { title: '', semanticSummary: summary, appliesTo: { files: Array<string>(90).fill('**/*.ts') } }),
      );
      const text = splitFrontMatter(toSkill(long).files['SKILL.md'] ?? '').frontMatter['description'] as string;
      expect(text.length).toBeGreaterThan(0);
      expect([...text].length).toBeLessThanOrEqual(1_024);
    }
  });
});

describe('starterCatalog', () => {
  it('satisfies the rules of the catalog', () => {
    expect(new Set(starterCatalog.map(({ id }) => id)).size).toBe(starterCatalog.length);
    for (const entry of starterCatalog) {
      expect(createEntry(entry), entry.id).toMatchObject({ status: 'approved', owner: 'fourfold', body: entry.body });
      expect(entry.categories?.length, entry.id).toBeGreaterThan(0);
      expect(entry.appliesTo, entry.id).toBeDefined();
    }
    expect(starterCatalog.some((entry) => (entry.arguments?.length ?? 0) > 0)).toBe(true);
  });
});
