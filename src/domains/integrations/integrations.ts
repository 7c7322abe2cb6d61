import type { Storage } from '#kernel/storage/port.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import { type MoveInput, moveIn } from './moving-in/move-in.ts';

export interface IntegrationsDeps {
  readonly storage: Pick<Storage, 'read' | 'write'>;
}

export type Integrations = ReturnType<typeof createIntegrations>;

export const createIntegrations = ({ storage }: IntegrationsDeps) => ({
  moveIn: (input: MoveInput, call: ToolCall) => moveIn(storage, input, call),
});
