import type { Storage } from '#kernel/storage/port.ts';
import type { Namespaces } from './namespaces/namespaces.ts';
import type { Pads } from './pads/pads.ts';
import type { Schemas } from './schemas/schemas.ts';
import type { NotebookSearch } from './search/search.ts';
import type { Checks } from './validation/checks.ts';

/** An agent's working memory: pads of typed cells, apart for each tenant. */
export interface Notebooks {
  readonly pads: Pads;
  readonly namespaces: Namespaces;
  readonly schemas: Schemas;
  readonly checks: Checks;
  readonly search: NotebookSearch;
  /** For tools that repair the store itself. */
  readonly storage: Storage;
}
