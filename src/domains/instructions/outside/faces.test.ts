import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import type { InstructionInput } from '../model.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { splitFrontMatter } from './front-matter.ts';
import { plantAsk, plantEntry } from './planted-ask.ts';
import { instructionPrompts } from './prompts.ts';
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

async function all<T>(list: (cursor: string | undefined) => Promise<{ items: readonly T[]; nextCursor?: string }>) {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

describe('instructions as resources', () => {
  it.each([[Number.POSITIVE_INFINITY], [7]])(
    'list every approved entry once, with answers of at most %s',
    async (max) => {
      const { ask } = plantAsk(many(250), max);
      const items = await all((cursor) => instructionResources.list!(ask, cursor));
      expect(items).toHaveLength(125);
      expect(new Set(items.map(({ uri }) => uri)).size).toBe(125);
      expect(items[0]).toMatchObject({ uri: 'instruction://e-0000', name: 'e-0000', mimeType: 'text/markdown' });
    },
  );

  it('a draft, a path and a stranger are not there', async () => {
    const { ask } = plantAsk([input('draft', { status: 'draft' })]);
    for (const id of ['draft', '../escape', 'nobody', '']) {
      expect(await instructionResources.read({ id }, ask), id).toBeUndefined();
    }
  });

  it('a title cannot break out of the front matter', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: 'grapheme' }), (title) => {
        const { frontMatter } = splitFrontMatter(
          renderInstruction(plantEntry(input('a', { title, owner: '---\nid: b' }))),
        );
        expect(frontMatter['id']).toBe('a');
        expect(frontMatter['owner']).toBe('---\nid: b');
      }),
    );
  });

  it('completes ids from the beginning', async () => {
    const { ask } = plantAsk([...many(20), input('zeta')]);
    expect(await instructionResources.complete!('id', 'e-000', ask)).toEqual([
      'e-0000',
      'e-0002',
      'e-0004',
      'e-0006',
      'e-0008',
    ]);
    expect(await instructionResources.complete!('id', 'z', ask)).toEqual(['zeta']);
    expect(await instructionResources.complete!('other', '', ask)).toEqual([]);
  });

  it('a made-up cursor is refused', async () => {
    await expect(instructionResources.list!(plantAsk().ask, '-1; drop')).rejects.toThrow('cursor');
  });
});

describe('instructions as prompts', () => {
  const asking = input('asking', {
    body: 'Do {{what}} {{ how }}, not {{that}}.',
    arguments: [{ name: 'what', required: true }, { name: 'how' }],
  });

  it('are those with arguments that are approved', async () => {
    const { ask } = plantAsk([...many(300), asking, { ...asking, id: 'draft', status: 'draft' }]);
    const prompts = await all((cursor) => instructionPrompts.list(ask, cursor));
    expect(prompts.map(({ name }) => name)).toEqual(['asking']);
    expect(await instructionPrompts.get('draft', { what: 'x' }, ask)).toBeUndefined();
    expect(await instructionPrompts.get('e-0000', {}, ask)).toBeUndefined();
  });

  it('fill what is given and leave other braces alone', async () => {
    const { ask } = plantAsk([asking]);
    const answer = await instructionPrompts.get('asking', { what: '{{how}} $& it' }, ask);
    expect(answer?.messages).toEqual([{ role: 'user', text: 'Do {{how}} $& it , not {{that}}.' }]);
  });

  it.each([[{}], [{ what: '' }], [{ what: 'x', other: 'y' }]])('refuse the arguments %j', async (args) => {
    const error: unknown = await instructionPrompts
      .get('asking', args, plantAsk([asking]).ask)
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Fault);
    expect((error as Fault).code).toBe('INVALID_PARAMS');
  });

  it('a value is put in as it is, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(fillPlaceholders('a {{x}} b', ['x'], { x: value })).toBe(`a ${value} b`);
      }),
    );
  });
});

describe('instructions as skills', () => {
  it('a path leads back to its id, and its last part is a name that the extension takes', () => {
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

  it('are found by their path, and by nothing else', async () => {
    const { ask } = plantAsk([input('my_rule'), input('plain'), input('draft', { status: 'draft' })]);
    const skills = await all((cursor) => instructionSkills.list(ask, cursor));
    expect(skills.map(({ path }) => path)).toEqual(['my_rule/my-rule', 'plain']);
    expect((await instructionSkills.find('my_rule/my-rule', ask))?.files['SKILL.md']).toContain('name: "my-rule"');
    for (const path of ['my_rule', 'my_rule/other', 'draft', 'plain/plain', '..']) {
      expect(await instructionSkills.find(path, ask), path).toBeUndefined();
    }
  });

  it('a description is never empty and never too long', () => {
    for (const summary of ['', 'x'.repeat(600)]) {
      const long = plantEntry(
        input('a', { title: '', semanticSummary: summary, appliesTo: { files: Array<string>(90).fill('**/*.ts') } }),
      );
      const text = splitFrontMatter(toSkill(long).files['SKILL.md'] ?? '').frontMatter['description'] as string;
      expect(text.length).toBeGreaterThan(0);
      expect([...text].length).toBeLessThanOrEqual(1_024);
    }
  });
});

describe('the starter catalog', () => {
  it('keeps the catalog’s own rules', () => {
    expect(new Set(starterCatalog.map(({ id }) => id)).size).toBe(starterCatalog.length);
    for (const entry of starterCatalog) {
      expect(plantEntry(entry), entry.id).toMatchObject({ status: 'approved', owner: 'fourfold', body: entry.body });
      expect(entry.categories?.length, entry.id).toBeGreaterThan(0);
      expect(entry.appliesTo, entry.id).toBeDefined();
    }
    expect(starterCatalog.some((entry) => (entry.arguments?.length ?? 0) > 0)).toBe(true);
  });
});
