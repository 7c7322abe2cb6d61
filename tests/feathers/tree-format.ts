import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TemplateTree } from '#domains/knowledge/templates/compose-template.ts';
import { run, writeTree } from './harness.ts';

const biome = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const settings = {
  formatter: { indentStyle: 'space', lineWidth: 120 },
  javascript: { formatter: { quoteStyle: 'single' } },
  linter: { enabled: false },
  assist: { enabled: false },
};

/** Fails with the diff if the formatter would change a file. */
export async function checkFormat(trees: readonly Pick<TemplateTree, 'files'>[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ff-form-'));
  writeFileSync(join(folder, 'biome.json'), `${JSON.stringify(settings, null, 2)}\n`);
  for (const tree of trees) writeTree(tree, folder);
  try {
    return await run(folder, [biome, 'format', '.']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
