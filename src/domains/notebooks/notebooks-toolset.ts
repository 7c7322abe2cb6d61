import { defineToolset } from '#kernel/tool/tool.ts';
import { notebooksExport } from './exchange/tools/notebooks-export.ts';
import { notebooksImport } from './exchange/tools/notebooks-import.ts';
import { notebooksRecount } from './exchange/tools/notebooks-recount.ts';
import { scratchExport } from './exchange/tools/scratch-export.ts';
import { scratchRestore } from './exchange/tools/scratch-restore.ts';
import { scratchTrash } from './exchange/tools/scratch-trash.ts';
import { scratchHistory } from './history/tools/scratch-history.ts';
import { scratchNamespaceCreate } from './namespaces/tools/scratch-namespace-create.ts';
import { scratchNamespaceDelete } from './namespaces/tools/scratch-namespace-delete.ts';
import { scratchNamespaceList } from './namespaces/tools/scratch-namespace-list.ts';
import { scratchNamespaceRename } from './namespaces/tools/scratch-namespace-rename.ts';
import type { Notebooks } from './notebooks.ts';
import { scratchAppendCell } from './pads/tools/scratch-append-cell.ts';
import { scratchCreate } from './pads/tools/scratch-create.ts';
import { scratchDelete } from './pads/tools/scratch-delete.ts';
import { scratchDeleteCell } from './pads/tools/scratch-delete-cell.ts';
import { scratchDescribe } from './pads/tools/scratch-describe.ts';
import { scratchList } from './pads/tools/scratch-list.ts';
import { scratchListCells } from './pads/tools/scratch-list-cells.ts';
import { scratchListTags } from './pads/tools/scratch-list-tags.ts';
import { scratchMoveCell } from './pads/tools/scratch-move-cell.ts';
import { scratchRead } from './pads/tools/scratch-read.ts';
import { scratchReplaceCell } from './pads/tools/scratch-replace-cell.ts';
import { scratchGetSchema } from './schemas/tools/scratch-get-schema.ts';
import { scratchListSchemas } from './schemas/tools/scratch-list-schemas.ts';
import { scratchUpsertSchema } from './schemas/tools/scratch-upsert-schema.ts';
import { scratchSearch } from './search/scratch-search.ts';
import { scratchValidate } from './validation/scratch-validate.ts';

export const notebooksToolset = defineToolset<Notebooks>({
  name: 'notebooks',
  faultForm: 'flagged',
  tools: [
    scratchCreate,
    scratchRead,
    scratchListCells,
    scratchAppendCell,
    scratchReplaceCell,
    scratchMoveCell,
    scratchDescribe,
    scratchDeleteCell,
    scratchHistory,
    scratchDelete,
    scratchList,
    scratchListTags,
    scratchValidate,
    scratchSearch,
    scratchListSchemas,
    scratchGetSchema,
    scratchUpsertSchema,
    scratchNamespaceList,
    scratchNamespaceCreate,
    scratchNamespaceRename,
    scratchNamespaceDelete,
    scratchExport,
    notebooksExport,
    notebooksImport,
    scratchTrash,
    scratchRestore,
    notebooksRecount,
  ],
});
