import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import type { CatalogProgram } from './catalog-program.fixture.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(`../../fixtures/judged-rules/${name}`, import.meta.url));

export interface Situation {
  readonly task: string;
  readonly files?: readonly string[];
  /** Folders whose rules apply because their authors said so: right, but not what the situation is about. */
  readonly declared?: readonly string[];
  /** The rules that somebody who knows them all would give for this task, besides those that always apply. */
  readonly relevant: readonly string[];
}

export const readSituations = (name: string): readonly Situation[] =>
  JSON.parse(readFileSync(fileOf(name), 'utf8')) as readonly Situation[];

/** Writes the rule files of the fixture to a folder, as a team has them in its repository. */
function writeRuleFiles(folder: string): void {
  for (const part of readFileSync(fileOf('files.txt'), 'utf8').split(/^=== /m).slice(1)) {
    const end = part.indexOf('\n');
    const file = join(folder, part.slice(0, end).trim());
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, part.slice(end + 1));
  }
}

/** Imports the rule files with the command that a team lead uses. The program needs an open mutation gate. */
export async function importJudgedRules(program: CatalogProgram): Promise<void> {
  const { folder, remove } = makeFolder();
  writeRuleFiles(folder);
  const { code, stderr } = await runProgram(['instructions', 'import', folder, '--mutation'], program.env);
  remove();
  if (code !== 0) throw new Error(`the import failed: ${stderr}`);
  // Sees the files of another process now, not at the next sweep.
  await program.value('plain method', 'instructions/reload');
}

export interface Applicable {
  readonly count: number;
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly reasons: readonly string[];
    readonly body?: string;
  }[];
  readonly may_apply?: readonly { readonly id: string; readonly reason: string; readonly body?: string }[];
  readonly leftOut?: string;
  readonly hint?: string;
  readonly nextCursor?: string;
}

const applicable = (program: CatalogProgram, { task, files }: Pick<Situation, 'task' | 'files'>): Promise<Applicable> =>
  program.value<Applicable>('tools/call', 'instructions/applicable', files === undefined ? { task } : { task, files });

/** Rules that always apply count neither for nor against, and declared ones are not counted for both tiers. */
export interface Figures {
  readonly recall: number;
  readonly precisionOfFirst: number;
  readonly precisionOfBoth: number;
  readonly misses: readonly string[];
}

interface Entry {
  readonly extensions?: { readonly source?: { readonly file?: string } };
}

async function foldersOf(program: CatalogProgram): Promise<(id: string) => string> {
  const { items } = await program.value<{ items: readonly (Entry & { id: string })[] }>(
    'plain method',
    'instructions/list',
  );
  const files = new Map(items.map(({ id, extensions }) => [id, extensions?.source?.file ?? '']));
  return (id) => files.get(id)?.split('/')[0] ?? '';
}

export async function measure(program: CatalogProgram, situations: readonly Situation[]): Promise<Figures> {
  const { items: general } = await program.value<Applicable>('tools/call', 'instructions/applicable', {});
  const always = new Set(general.map(({ id }) => id));
  const folderOf = await foldersOf(program);
  const sum = { relevant: 0, found: 0, first: 0, firstRight: 0, both: 0 };
  const misses: string[] = [];
  for (const situation of situations) {
    const { declared = [], relevant } = situation;
    const { items, may_apply = [] } = await applicable(program, situation);
    const first = items.map(({ id }) => id).filter((id) => !always.has(id));
    const isDeclared = (id: string) => declared.includes(folderOf(id)) && !relevant.includes(id);
    const shown = [...first.filter((id) => !isDeclared(id)), ...may_apply.map(({ id }) => id)];
    const found = relevant.filter((id) => shown.includes(id));
    sum.relevant += relevant.length;
    sum.found += found.length;
    sum.first += first.length;
    sum.firstRight += first.filter((id) => relevant.includes(id) || isDeclared(id)).length;
    sum.both += shown.length;
    for (const id of relevant) if (!found.includes(id)) misses.push(`${situation.task} → ${id}`);
  }
  return {
    recall: sum.found / sum.relevant,
    precisionOfFirst: sum.firstRight / sum.first,
    precisionOfBoth: sum.found / sum.both,
    misses,
  };
}
