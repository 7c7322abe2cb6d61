import { describe, expect, it } from 'vitest';
import type { TemplateFragment } from '../base/base-entries.ts';
import { createTemplates } from './templates.ts';

const fragment: TemplateFragment = {
  id: 'old',
  title: 'Of version 4',
  version: 'v4',
  databases: ['sqlite'],
  requires: [],
  featureFlags: ['sqlite', 'express'],
  packages: { express: '^5.0.0', cors: '^2.0.0' },
  devPackages: { mocha: '^12.0.0', express: '^4.0.0' },
  scripts: { test: 'mocha' },
  files: { 'package.json': '{ "name": "app", "list": [1, "two"] }', 'config/default.json': '{ "a": { "b": 1 } }' },
};
const more: TemplateFragment = {
  ...fragment,
  id: 'z-more',
  requires: ['old'],
  featureFlags: ['express', 'more'],
  packages: { zod: '^4.0.0' },
  devPackages: {},
  scripts: { start: 'node .' },
  files: { 'config/default.json': '{ "a": { "c": [{ "d": null }] }, "e": {} }', 'ä.md': 'ä\n' },
};
const wanted = { database: 'sqlite', auth: false, typescript: true } as const;
const make = (...fragments: readonly TemplateFragment[]) => {
  let loads = 0;
  const templates = createTemplates({
    loadFragments: async () => {
      loads += 1;
      return fragments;
    },
  });
  return { ...templates, loads: () => loads };
};

describe('templates', () => {
  it('combine the packages, scripts, flags and settings of all fragments', async () => {
    const answer = await make(more, fragment).answer({ ...wanted, version: 'v4' });
    if ('error' in answer) return expect.unreachable();
    expect(answer.dependencies).toEqual(['cors', 'express', 'mocha', 'zod']);
    expect(answer.featureFlags).toEqual(['sqlite', 'express', 'more']);
    expect(answer.files['package.json']?.content).toBe(`{
  "name": "app",
  "list": [1, "two"],
  "scripts": {
    "test": "mocha",
    "start": "node ."
  },
  "dependencies": {
    "cors": "^2.0.0",
    "express": "^5.0.0",
    "zod": "^4.0.0"
  },
  "devDependencies": {
    "mocha": "^12.0.0"
  }
}
`);
    expect(answer.files['ä.md']).toEqual({ path: 'ä.md', content: 'ä\n', size: 3 });
    expect(JSON.parse(answer.files['config/default.json']?.content ?? '')).toEqual({
      a: { b: 1, c: [{ d: null }] },
      e: {},
    });
  });

  it('fall back to version 4 for both, and echo both', async () => {
    const { answer } = make(fragment);
    expect(await answer({ ...wanted, version: 'both' })).toMatchObject({
      version: 'both',
      featureFlags: ['sqlite', 'express'],
    });
    expect(await answer({ ...wanted, version: 'v5' })).toEqual({
      error: 'No matching templates found for the specified configuration',
      ...wanted,
      version: 'v5',
    });
  });

  it('use the module system of package.json in JavaScript', async () => {
    const script = "import type { A } from './a';\nimport fs from 'node:fs';\n\nexport const a: A = fs;\n";
    const answer = async (type: object) => {
      const files = { 'package.json': JSON.stringify({ name: 'app', ...type }), 'src/b.ts': script };
      const made = await make({ ...fragment, files }).answer({ ...wanted, typescript: false, version: 'v4' });
      return 'error' in made ? expect.unreachable() : made.files['src/b.js']?.content;
    };
    expect(await answer({ type: 'module' })).toBe("import fs from 'node:fs';\n\nexport const a = fs;\n");
    expect(await answer({})).toBe("const fs = require('node:fs');\n\nconst a = fs;\n\nmodule.exports = { a };\n");
  });

  it('are composed once', async () => {
    const { tree, loads } = make(fragment);
    expect(await tree({ ...wanted, version: 'v4' })).toBe(await tree({ ...wanted, version: 'both' }));
    expect(await tree({ ...wanted, version: 'v5' })).toBeUndefined();
    expect(loads()).toBe(2);
  });

  it.each(['../a', '/a', 'C:/a', 'a\\b', 'a//b', './a', 'a/.', 'a/b/'])('reject the path %j', async (path) => {
    const { answer } = make({ ...fragment, files: { [path]: '' } });
    await expect(answer({ ...wanted, version: 'v4' })).rejects.toMatchObject({ code: 'BAD_KNOWLEDGE_FILE' });
  });
});
