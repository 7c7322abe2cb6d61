import { describe, expect, it } from 'vitest';
import { compileMarkdown } from './compile-markdown.ts';

const front = '---\ntitle: Hooks\nversion: v5\ncategory: hooks\nurl: https://feathersjs.com/x\ntags: [a, b]\n---\n';
const docs = (body: string) => compileMarkdown('docs', 'docs/v5/hooks.md', front + body);

describe('compiling a docs page', () => {
  it('creates one entry per section, with its breadcrumb, and one for the text under the title', () => {
    const common = {
      version: 'v5',
      category: 'hooks',
      tags: ['a', 'b'],
      source: { url: 'https://feathersjs.com/x', path: 'docs/v5/hooks.md' },
    };
    expect(docs('# Hooks\n\nIntro.\n\n## Around hooks\n\nText.\n\n### Errors\n\nMore.\n')).toEqual([
      { ...common, id: 'v5/hooks', title: 'Hooks', content: 'Intro.', breadcrumb: ['Hooks'] },
      {
        ...common,
        id: 'v5/hooks#around-hooks',
        title: 'Around hooks',
        content: 'Text.',
        breadcrumb: ['Hooks', 'Around hooks'],
      },
      {
        ...common,
        id: 'v5/hooks#errors',
        title: 'Errors',
        content: 'More.',
        breadcrumb: ['Hooks', 'Around hooks', 'Errors'],
      },
    ]);
  });

  it('drops comments that only make a sample compile and keeps the sample unchanged', () => {
    const [entry] = docs(
      '# Hooks\n\n## A\n\nText.\n\n<!-- given\nimport x from "y"\n-->\n```ts\n// ## no heading\nconst a = 1 // <!-- kept -->\n\n\nconst b = 2\n```\n',
    );
    expect(entry?.content).toBe('Text.\n\n```ts\n// ## no heading\nconst a = 1 // <!-- kept -->\n\n\nconst b = 2\n```');
  });

  it('keeps deeper headings in their section and creates no entry for a heading without text', () => {
    const entries = docs('# Hooks\n\n## Group\n\n### One\n\nText.\n\n#### Deep\n\nDeeper.\n');
    expect(entries.map(({ id, content }) => [id, content])).toEqual([
      ['v5/hooks#one', 'Text.\n\n#### Deep\n\nDeeper.'],
    ]);
  });

  it('accepts a page that begins with a deep heading', () => {
    expect(docs('#### Deep\n\nText.\n')).toMatchObject([{ id: 'v5/hooks#deep', title: 'Deep', content: 'Text.' }]);
  });
});

it('compiles a snippet from the first sample of its section and the text around it', () => {
  const page = `${front}# Hooks\n\n## Log\n\nLogs each call.\n\n\`\`\`ts\nlog()\n\`\`\`\n\nMore.\n`;
  expect(compileMarkdown('snippets', 'snippets/hooks.md', page)).toMatchObject([
    { id: 'snippets/hooks#log', title: 'Log', language: 'ts', code: 'log()', description: 'Logs each call.\n\nMore.' },
  ]);
});

it('defaults the language of a sample to text', () => {
  const page = `${front}# Hooks\n\n## Log\n\n\`\`\`\nlog()\n\`\`\`\n`;
  expect(compileMarkdown('snippets', 'snippets/hooks.md', page)).toMatchObject([{ language: 'text', code: 'log()' }]);
});

it('reads symptom, cause and fix of an error pattern', () => {
  const page = `${front}# Errors\n\n## Oops\n\n**Symptom:** It\nfails.\n\n**Cause:** A slip.\n\n**Fix:** Mend it.\n\nMore.\n`;
  expect(compileMarkdown('patterns', 'patterns/x.md', page)).toMatchObject([
    { id: 'patterns/x#oops', symptom: 'It fails.', cause: 'A slip.', fix: 'Mend it.' },
  ]);
});

it('reads practice and reason of a best practice', () => {
  const page = `${front}# Practices\n\n## Keep\n\n**Do:** Keep it.\n\n**Why:** It helps.\n`;
  expect(compileMarkdown('best-practices', 'best-practices/x.md', page)).toMatchObject([
    { practice: 'Keep it.', reason: 'It helps.' },
  ]);
});

it.each([
  ['no version', 'docs', '---\ntitle: A\ncategory: x\n---\n# A\n\n## B\n\nText.', /"B": 0\.version/],
  ['an unknown version', 'docs', '---\ntitle: A\nversion: v3\ncategory: x\n---\n## B\n\nText.', /"B": 0\.version/],
  ['invalid front matter', 'docs', '---\na: [\n---\n## B\n\nText.', /front matter is not valid YAML/],
  ['front matter that is not a map', 'docs', '---\n- a\n---\n## B\n\nText.', /not a map/],
  ['a snippet without code', 'snippets', `${front}## B\n\nText.`, /"B": it has no code/],
  ['a pattern without a cause', 'patterns', `${front}## B\n\n**Symptom:** x\n`, /\*\*Cause:\*\*/],
] as const)('names the section of a file with %s', (_what, category, page, message) => {
  expect(() => compileMarkdown(category, `${category}/x.md`, page)).toThrow(message);
});
