import { z } from 'zod';

/** Every answer to a call that deletes or overwrites something contains the call that brings it back. */
export const restoreCall = z
  .object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
  .describe('The call that undoes this, for 30 days');

export type RestoreCall = z.infer<typeof restoreCall>;
