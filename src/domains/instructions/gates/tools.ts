import { gatesEvaluate } from './tools/gates-evaluate.ts';

export const gateTools = [gatesEvaluate] as const;
