import type { Schemas } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';

export interface EntitiesDeps extends Pick<TruthDeps, 'storage' | 'clock' | 'ids'> {
  readonly schemas: Pick<Schemas, 'active' | 'activeOf'>;
}
