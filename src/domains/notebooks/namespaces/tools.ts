import { scratchNamespaceCreate } from './tools/scratch-namespace-create.ts';
import { scratchNamespaceDelete } from './tools/scratch-namespace-delete.ts';
import { scratchNamespaceList } from './tools/scratch-namespace-list.ts';
import { scratchNamespaceRename } from './tools/scratch-namespace-rename.ts';

export const namespaceTools = [
  scratchNamespaceList,
  scratchNamespaceCreate,
  scratchNamespaceRename,
  scratchNamespaceDelete,
] as const;
