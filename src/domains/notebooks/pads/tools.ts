import { scratchAppendCell } from './tools/scratch-append-cell.ts';
import { scratchCreate } from './tools/scratch-create.ts';
import { scratchDelete } from './tools/scratch-delete.ts';
import { scratchList } from './tools/scratch-list.ts';
import { scratchListCells } from './tools/scratch-list-cells.ts';
import { scratchListTags } from './tools/scratch-list-tags.ts';
import { scratchRead } from './tools/scratch-read.ts';
import { scratchReplaceCell } from './tools/scratch-replace-cell.ts';

export const padTools = [
  scratchCreate,
  scratchRead,
  scratchListCells,
  scratchAppendCell,
  scratchReplaceCell,
  scratchDelete,
  scratchList,
  scratchListTags,
] as const;
