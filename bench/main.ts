import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { benchConnectors } from './connectors.ts';
import { benchContext } from './context.ts';
import { benchDashboard } from './dashboard.ts';
import { benchEntitySearch } from './entity-search.ts';
import { benchHttp } from './http.ts';
import { benchInstructions } from './instructions.ts';
import { benchJudged, benchRecall } from './judged-sets.ts';
import { benchKnowledge } from './knowledge.ts';
import { benchManyProcesses } from './many-processes.ts';
import { benchNotebooks } from './notebooks.ts';
import { benchRowHashes } from './row-hash.ts';
import { benchSearch } from './search.ts';
import { benchMeaning } from './semantic-search.ts';
import { benchStdio } from './stdio.ts';
import { printTable, type Row } from './table.ts';
import { benchTruth } from './truth.ts';

const benchSearchRows = async (): Promise<readonly Row[]> =>
  (await benchSearch()).map(({ what, value, unit, bar }) =>
    bar === undefined ? { what, value, unit } : { what, value, unit, bar: `< ${bar}`, isMet: value < bar },
  );

const sections: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  stdio: benchStdio,
  http: benchHttp,
  processes: benchManyProcesses,
  search: benchSearchRows,
  meaning: benchMeaning,
  judged: benchJudged,
  recall: benchRecall,
  instructions: benchInstructions,
  knowledge: benchKnowledge,
  notebooks: benchNotebooks,
  truth: benchTruth,
  entities: benchEntitySearch,
  context: benchContext,
  connectors: benchConnectors,
  dashboard: benchDashboard,
  hashes: benchRowHashes,
};

const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
const wanted = positionals.length === 0 ? Object.keys(sections) : positionals;
const rows: Row[] = [];
for (const name of wanted) {
  const section = sections[name];
  if (section === undefined) throw new Error(`no section ${name}: ${Object.keys(sections).join(', ')}`);
  process.stderr.write(`measuring ${name} …\n`);
  rows.push(...(await section()));
}
printTable(rows);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
else process.stdout.write(`${JSON.stringify(rows)}\n`);
