import { promptReview } from './tools/prompt-review.ts';

export const reviewTools = [promptReview] as const;
