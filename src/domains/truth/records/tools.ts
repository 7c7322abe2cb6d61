import { deleteRecord } from './tools/delete-record.ts';
import { restoreRecord } from './tools/restore-record.ts';
import { retrieveRecords } from './tools/retrieve-records.ts';
import { storeRecord } from './tools/store-record.ts';
import { updateRecord } from './tools/update-record.ts';

export const recordTools = [storeRecord, updateRecord, retrieveRecords, deleteRecord, restoreRecord] as const;
