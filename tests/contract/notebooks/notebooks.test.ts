import { postgresEngine } from '../storage/postgres-engine.ts';
import { sqliteEngine } from '../storage/sqlite-engine.ts';
import { describeMoves } from './moves.contract.ts';
import { describeNamespaces } from './namespaces.contract.ts';
import { describePads } from './pads.contract.ts';
import { describeProcesses } from './processes.contract.ts';
import { describeRemoval } from './removal.contract.ts';

for (const engine of [sqliteEngine(false), sqliteEngine(true), postgresEngine(false)]) {
  describePads(engine);
  describeNamespaces(engine);
  describeRemoval(engine);
  describeMoves(engine);
  describeProcesses(engine);
}
