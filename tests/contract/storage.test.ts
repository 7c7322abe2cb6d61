import { postgresEngine } from './storage/postgres-engine.ts';
import { sqliteEngine } from './storage/sqlite-engine.ts';
import { describeStorageContract } from './storage.contract.ts';

for (const engine of [sqliteEngine(false), sqliteEngine(true), postgresEngine(false), postgresEngine(true)]) {
  describeStorageContract(engine);
}
