import { scratchValidate } from './tools/scratch-validate.ts';

export const checkTools = [scratchValidate] as const;
