import type { Schemas } from '../schemas/schemas.ts';

export interface GroupDeps {
  readonly schemas: Pick<Schemas, 'active'>;
}
