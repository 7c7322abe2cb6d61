import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Public test corpora next to the checkout. Tests that need them are skipped if they are missing. */
const folder = fileURLToPath(new URL('../../../shared/data/corpora/', import.meta.url));

export const hasCorpora = existsSync(folder);
if (!hasCorpora)
  process.stderr.write('The corpora beside the checkout are not there: the tests of tests/corpora are left out.\n');

export const readCorpus = (path: string): Buffer => readFileSync(folder + path);
export const listCorpus = (path: string): readonly string[] => (hasCorpora ? readdirSync(folder + path) : []);
