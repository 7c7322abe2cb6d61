import { postgresEngine } from '../storage/postgres-engine.ts';
import { sqliteEngine } from '../storage/sqlite-engine.ts';
import { describeLibraries } from './libraries.contract.ts';
import { describeSources } from './sources.contract.ts';

for (const engine of [sqliteEngine(false), sqliteEngine(true), postgresEngine(false)]) describeLibraries(engine);
for (const engine of [sqliteEngine(false), postgresEngine(false)]) describeSources(engine);
