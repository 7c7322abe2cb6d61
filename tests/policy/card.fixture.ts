import { z } from 'zod';
import { type Card, toCard } from '#kernel/tool/card.ts';
import { defineTool } from '#kernel/tool/tool.ts';

const wellMade = defineTool({
  name: 'pads/keepOne',
  title: 'Keep a pad',
  summary: 'Keeps one pad under its id.',
  guide: { when: ['a pad is worth keeping'], example: { id: 'plan' } },
  effect: 'create',
  input: z.strictObject({ id: z.string().max(100) }),
  output: z.object({ id: z.string() }),
  faults: ['NOT_FOUND'],
  run: (_domain: unknown, { id }) => ({ id }),
});

/** A valid card, with some members replaced. */
export const cardFixture = (wrong: Partial<Card> = {}): Card => ({ ...toCard(wellMade, 'pads', 'numeric'), ...wrong });
