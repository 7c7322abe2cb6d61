import type { Card } from '#kernel/tool/card.ts';
import generated from './generated/tools.json' with { type: 'json' };

/** Every tool as data; `fourfold generate` writes the file from the declarations. */
export const cards = generated as readonly Card[];
