import { describeBadFiles } from './catalog/bad-files.contract.ts';
import { describeCatalogContract } from './catalog/catalog.contract.ts';
import { describeKilledCatalog } from './catalog/killed-process.contract.ts';
import { describeOutsideEdits } from './catalog/outside-edits.contract.ts';
import { describeReadBack } from './catalog/read-back.contract.ts';
import { describeCatalogMeaning, describeFolderMeaning } from './catalog/semantic-search.contract.ts';
import { describeStoredDocuments } from './catalog/stored-documents.contract.ts';
import { describeUndoneChanges } from './catalog/undone-changes.contract.ts';
import { describeUnfinishedChanges } from './catalog/unfinished-changes.contract.ts';
import { postgresEngine } from './storage/postgres-engine.ts';
import { sqliteEngine } from './storage/sqlite-engine.ts';

for (const engine of [sqliteEngine(false), sqliteEngine(true), postgresEngine(false), postgresEngine(true)]) {
  describeCatalogContract(engine);
}
for (const engine of [sqliteEngine(false), postgresEngine(false)]) describeCatalogMeaning(engine);
describeFolderMeaning(sqliteEngine(false));
describeOutsideEdits();
describeBadFiles();
describeStoredDocuments();
describeUnfinishedChanges();
describeUndoneChanges();
describeReadBack();
describeKilledCatalog();
