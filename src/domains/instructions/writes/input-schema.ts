import { z } from 'zod';
import { instructionId, instructionInput } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';

export type JsonSchema = { readonly [key: string]: unknown };

const shown = instructionInput.extend({
  id: instructionId,
  body: z.string().min(1).max(instructionLimits.bodyChars),
});

let made: JsonSchema | undefined;

/** What an entry may hold, as JSON Schema; made when first asked for. */
export function inputSchema(): JsonSchema {
  if (made === undefined) {
    const { $schema: _schema, ...schema } = z.toJSONSchema(shown, { io: 'input', unrepresentable: 'any' });
    made = schema;
  }
  return made;
}
