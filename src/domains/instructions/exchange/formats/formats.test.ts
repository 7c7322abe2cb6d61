import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalBody } from '#kernel/text/normalise.ts';
import { createEntry } from '../../catalog/memory-catalog.fixture.ts';
import { instructionInput } from '../../entry-model.ts';
import { instructionIdPattern } from '../../instruction-ids.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import { renderAgents, renderBackup, renderEntryFile } from '../export-catalog.ts';
import { splitFrontMatter } from '../front-matter.ts';
import { formatOf, parseFile } from '../plan-import.ts';
import { type RuleFormat, ruleFormats, toStableId } from './rule-input.ts';
import { splitMarkdown } from './split-markdown.ts';

const parse = (path: string, text: string, format: RuleFormat | undefined = formatOf(path)) =>
  parseFile({ path, text, format: format ?? 'agents' });

describe('formatOf', () => {
  it.each([
    ['AGENTS.md', 'agents'],
    ['packages/web/CLAUDE.md', 'claude'],
    ['.cursorrules', 'cursorrules'],
    ['.cursor/rules/style.mdc', 'cursor-mdc'],
    ['.github/copilot-instructions.md', 'copilot'],
    ['.github/instructions/ts.instructions.md', 'copilot-instructions'],
    ['.github/instructions/go.md', 'copilot-instructions'],
    ['skills/review/SKILL.md', 'skill'],
    ['a.json', 'entry-json'],
    ['gates.json', undefined],
    ['README.md', undefined],
    ['constructor', undefined],
  ])('recognises %s as %s', (path, format) => expect(formatOf(path)).toBe(format));
});

describe('Markdown rules', () => {
  it('creates one entry per section and ignores headings in code fences', () => {
    const text =
      '# Project\n\nIntro.\n\n## Testing\n\nRun it.\n\n```sh\n# not a heading\n```\n\n## Empty\n\n## Style ##\n\n### Names\n\nShort.';
    expect(splitMarkdown(text, 'x')).toEqual([
      { title: 'Project', body: 'Intro.' },
      { title: 'Testing', body: 'Run it.\n\n```sh\n# not a heading\n```' },
      { title: 'Style', body: '### Names\n\nShort.' },
    ]);
  });

  it.each([
    ['no heading', 'Be kind.', [{ title: 'x', body: 'Be kind.' }]],
    ['one heading', '# A\n\nB', [{ title: 'A', body: 'B' }]],
    ['one heading per level', '# A\n\n## B\n\nC', [{ title: 'B', body: 'C' }]],
    [
      'only first-level headings',
      '# A\n\n1\n\n# B\n\n2',
      [
        { title: 'A', body: '1' },
        { title: 'B', body: '2' },
      ],
    ],
    ['only blank lines', '\n\n', []],
  ])('splits a text with %s', (_, text, sections) => expect(splitMarkdown(text, 'x')).toEqual(sections));

  it('splits a section over the limit without losing a word', () => {
    const long = Array.from({ length: 9_000 }, (_, i) => `word${i} and more`).join('\n\n');
    const sections = splitMarkdown(`# Long\n\n${long}`, 'x');
    expect(sections.length).toBeGreaterThan(1);
    expect(sections.every(({ body }) => body.length <= instructionLimits.bodyChars)).toBe(true);
    expect(sections.flatMap(({ body }) => body.match(/word\d+/g) ?? [])).toHaveLength(9_000);
  });

  it('[IN44] creates valid entries from any text', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('# A', '## B', '---', '```', 'globs: a, b', '<!-- fourfold:x -->'),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom(...ruleFormats), (lines, format) => {
        const { entries } = parse('folder/file.md', lines.join('\n'), format);
        for (const entry of entries) {
          expect(entry.id).toMatch(instructionIdPattern);
          expect(instructionInput.safeParse(entry).success).toBe(true);
          expect(canonicalBody(entry.body)).not.toBe('');
        }
      }),
    );
  });

  it('derives one valid id from every title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (title) => {
        expect(toStableId(title)).toMatch(instructionIdPattern);
      }),
    );
    expect(toStableId('Code Review & Tests!')).toBe('code-review-tests');
    expect(toStableId('Über Größe')).toBe('uber-grosse');
    expect(toStableId('規則')).toBe(toStableId('規則'));
  });
});

describe('rules with front matter', () => {
  it('maps the globs of a Cursor rule to appliesTo.files', () => {
    const text =
      '---\ndescription: Style of TypeScript\nglobs: *.ts,src/**/*.{ts,tsx}\nalwaysApply: false\n---\n\n# TypeScript\n\nNo any.\n';
    expect(parse('.cursor/rules/ts_style.mdc', text).entries).toEqual([
      {
        id: 'ts-style',
        title: 'TypeScript',
        body: '# TypeScript\n\nNo any.',
        categories: ['imported'],
        description: 'Style of TypeScript',
        appliesTo: { files: ['*.ts', 'src/**/*.{ts,tsx}'] },
        extensions: { source: { file: '.cursor/rules/ts_style.mdc', format: 'cursor-mdc' } },
      },
    ]);
  });

  it('[IN49] applies a Cursor rule always, or by its description when it has no globs', () => {
    const rule = (front: string) => parse('.cursor/rules/a.mdc', `---\n${front}\n---\nText.`).entries[0];
    expect(rule('alwaysApply: true\nglobs: *.ts')?.appliesTo).toEqual({ always: true });
    expect(rule('description: Writing tests\nalwaysApply: false')).toMatchObject({ description: 'Writing tests' });
    expect(rule('description: Writing tests\nalwaysApply: false')).not.toHaveProperty('appliesTo');
    const nested = parse('web/.cursor/rules/a.mdc', '---\nglobs: src/*.ts\n---\nText.').entries[0];
    expect(nested?.appliesTo).toEqual({ all: [{ folders: ['web'] }, { files: ['src/*.ts', 'web/src/*.ts'] }] });
  });

  it('[IN49] marks what demands or forbids something as a candidate, but not what is only in code', () => {
    const text =
      '## A\n\nYou MUST lint.\n\n## B\n\nDo not push.\n\n## C\n\n`never` and\n\n```\nmust\n```\n\n## D\n\nMustard.';
    expect(
      parse('AGENTS.md', text).entries.map(({ requirement, extensions }) => [requirement, extensions?.['candidate']]),
    ).toEqual([
      ['recommended', 'mandatory'],
      ['recommended', 'mandatory'],
      ['recommended', undefined],
      ['recommended', undefined],
    ]);
  });

  it('[IN49] recommends what always applies, and leaves the rest optional', () => {
    const requirementOf = (front: string) =>
      parse('.cursor/rules/a.mdc', `---\n${front}\n---\nText.`).entries[0]?.requirement;
    expect(requirementOf('alwaysApply: true')).toBe('recommended');
    expect(requirementOf('globs: "*.ts"')).toBeUndefined();
  });

  it('[IN49] maps applyTo of a Copilot file; a glob for everything means always', () => {
    const rule = (glob: string) => `---\napplyTo: "${glob}"\n---\nText.`;
    expect(parse('a.instructions.md', rule('**/*.py,docs/**')).entries[0]?.appliesTo).toEqual({
      files: ['**/*.py', 'docs/**'],
    });
    expect(parse('a.instructions.md', rule('**')).entries[0]?.appliesTo).toEqual({ always: true });
  });

  it('imports a skill as one rule under its name', () => {
    const text =
      '---\nname: tidy-up\ndescription: >\n  Cleans\n  the workspace\n---\n# Tidy\n\n## One\n\nA\n\n## Two\n\nB';
    const { entries } = parse('skills/tidy-up/SKILL.md', text);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ id: 'tidy-up', title: 'Tidy', description: 'Cleans the workspace' });
  });

  it('[IN49] applies a nested AGENTS.md below its folder, and the files of the project always', () => {
    expect(parse('packages/api/AGENTS.md', '# A\n\nB').entries[0]?.appliesTo).toEqual({ folders: ['packages/api'] });
    for (const path of ['AGENTS.md', 'CLAUDE.md', '.cursorrules', '.github/copilot-instructions.md']) {
      expect(parse(path, '# A\n\nB').entries[0]?.appliesTo, path).toEqual({ always: true });
    }
  });

  it('reads both list notations and is safe for keys such as __proto__', () => {
    const { frontMatter, body } = splitFrontMatter(
      '---\na: [x, "y, z"]\nb:\n  - one\n  - "two"\n__proto__: p\nc: \'it\'\'s\'\n---\nrest',
    );
    expect(frontMatter).toMatchObject({ a: ['x', 'y, z'], b: ['one', 'two'], c: "it's" });
    expect(Object.getPrototypeOf(frontMatter)).toBe(Object.prototype);
    expect(body).toBe('rest');
  });
});

describe('parseEntries', () => {
  const entry = { id: 'a', body: 'x' };

  it.each([
    ['a list', [entry]],
    ['a list under a name', { entries: [entry], timestamp: 't', version: '1' }],
    ['one entry', entry],
    ['our own export', JSON.parse(renderBackup([createEntry(entry)], { exportedAt: 't', hash: 'h' })) as unknown],
    ['an entry file', JSON.parse(renderEntryFile(createEntry(entry))) as unknown],
  ])('reads %s', (_, value) => {
    const parsed = parse('b.json', `\uFEFF${JSON.stringify(value)}`);
    expect(parsed.entries.map(({ id, body }) => [id, body])).toEqual([['a', 'x']]);
    expect(parsed.skipped).toEqual([]);
  });

  it('keeps unknown fields, repairs ids and reports what it skips', () => {
    const value = [{ ...entry, id: 'My Rule', colour: 'red' }, 7, { id: 'b' }, { ...entry, priority: 'high' }];
    const parsed = parse('b.json', JSON.stringify(value));
    expect(parsed.entries).toEqual([{ id: 'my-rule', body: 'x', extensions: { colour: 'red' } }]);
    expect(parsed.skipped.map(({ source }) => source)).toEqual(['b.json#1', 'b.json#2', 'b.json#3']);
    expect(parsed.warnings).toHaveLength(2);
  });

  it.each(['{"id":', 'null', '{"compilerOptions":{}}', '[['])('skips %s with a reason', (text) => {
    expect(parse('b.json', text)).toMatchObject({ entries: [], skipped: [{ source: 'b.json' }] });
  });
});

describe('renderAgents', () => {
  it('renders approved rules, strictest first, and imports them under the same ids', () => {
    const entries = [
      createEntry({ id: 'light', title: 'Light', body: 'L' }),
      createEntry({
        id: 'heavy',
        title: 'Heavy',
        body: '# Inside\n\nH',
        requirement: 'mandatory',
        owner: 'me',
        categories: ['c'],
        appliesTo: { files: ['*.ts'] },
      }),
      createEntry({ id: 'proposed', title: 'Proposed', body: 'P', status: 'draft' }),
    ];
    const page = renderAgents(entries);
    expect(page.indexOf('## Heavy')).toBeLessThan(page.indexOf('## Light'));
    expect(page).not.toContain('Proposed');
    const back = parse('AGENTS.md', page).entries;
    expect(back.map(({ id, title, body }) => [id, title, body])).toEqual([
      ['heavy', 'Heavy', '### Inside\n\nH'],
      ['light', 'Light', 'L'],
    ]);
  });

  it('imports a page with one rule', () => {
    const page = renderAgents([createEntry({ id: 'only', title: 'Only', body: '## A\n\n1\n\n## B\n\n2' })]);
    expect(parse('AGENTS.md', page).entries.map(({ id }) => id)).toEqual(['only']);
  });
});
