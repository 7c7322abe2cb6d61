import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { generatedFiles } from './outputs.ts';

/** Folders that hold nothing but generated files: what is no longer generated goes. */
const ownedFolders = ['tests/snapshots/tools'];

const readText = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

function findStale(root: string, files: ReadonlyMap<string, string>): readonly string[] {
  return ownedFolders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder))
          .map((name) => `${folder}/${name}`)
          .filter((path) => !files.has(path))
      : [],
  );
}

/** Elsewhere it would scatter files over somebody's project. */
function assertCheckout(root: string): void {
  const manifest = readText(join(root, 'package.json'));
  const isOurs = manifest !== undefined && (JSON.parse(manifest) as { name?: string }).name === 'fourfold';
  if (!isOurs) throw faults.CONFIG_ERROR({ why: `${root} is no checkout of fourfold` });
}

/** Writes what differs and answers its paths; `check` only looks. */
export function generate(root: string, check: boolean, files = generatedFiles()): readonly string[] {
  assertCheckout(root);
  const changed = [...files].filter(([path, text]) => readText(join(root, path)) !== text);
  const stale = findStale(root, files);
  if (!check) {
    for (const [path, text] of changed) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    for (const path of stale) rmSync(join(root, path));
  }
  return [...changed.map(([path]) => path), ...stale].sort();
}
